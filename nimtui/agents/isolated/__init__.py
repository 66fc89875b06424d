"""Runs each own agent in a sandbox, so that a hang or a crash loses one game and nothing else.

`remote` is the agent that the program sees, and its connection to its sandbox. `child` runs in the sandbox, and
`values` are the answers that pass between them.
"""
