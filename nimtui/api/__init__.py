"""The library: what `import nimtui` offers to notebooks and scripts.

A file per function, with the class of its result. Games, positions, moves and agents go in and out as names. A result
has attributes, a `repr` for people, and `to_dict()`: the JSON document that the command of the same name prints.
"""
