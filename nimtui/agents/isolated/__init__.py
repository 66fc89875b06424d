"""Runs each own agent in a separate process, so that a hang or a crash loses one game and nothing else.

`fork_server` is a small process that forks the agents' processes, and kills them when the main process ends.
`processes` talks to that server. `child` runs in the forked processes. `remote` is the agent that the program sees.
"""
