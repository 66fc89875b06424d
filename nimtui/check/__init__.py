"""Check a person's own games, learners and agents against their contracts; name each broken rule with an example.

The person's code runs in a sandbox (`child`), which `checking` watches. `nimtui.check.quarantine` is the entry point.
"""
