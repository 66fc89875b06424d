"""Tries a person's own games, learners and agents against their contracts, and says which rule is broken and where.

The person's code runs in a child process (`child`) that a second one watches (`server`): `nimtui.quarantine` asks it.
"""
