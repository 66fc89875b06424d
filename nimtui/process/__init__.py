"""What the system does to a program: children, signals, locks, memory; and how a file of Python is loaded."""
