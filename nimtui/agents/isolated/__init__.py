"""A person's own agents, each in a process of its own: one that hangs or dies costs its game and nothing else.

`fork_server` is a small process that forks those of the agents and ends them when this process ends; `processes` asks
it for them; `child` is what runs in them; `remote` is the agent that the rest of the program sees.
"""
