"""Runs a person's own code in a process that may hang, crash or be killed, and that is closed in as far as possible.

Whoever needs it names a service, a function of nimtui that runs in the process. `client` starts the process and talks
to it, `wire` is the format of the messages, `closing` says what the process may do. `server` is a small process that
forks the others and kills them when nimtui ends. `program` runs a program in any language and exchanges lines with it;
`command` is how a person names one, and how it fails.

This room knows no game and no agent.
"""
