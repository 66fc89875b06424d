"""The library: what `import nimtui` offers to notebooks and scripts.

The functions of one subject share a file, with the classes of their results. Games, positions, moves and agents go in
and out as names. A result has attributes, a `repr` for people, and `to_dict()`: the JSON document that the command of
the same name prints.
"""
