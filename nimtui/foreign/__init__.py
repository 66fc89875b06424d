"""The boundary: checks everything that comes from a file, an argument or a database row before other code uses it.

`values` checks dates, numbers, names and texts. `reading` checks paths and JSON, and limits how much of a file is read.
Every package may import this one; it imports none of them.
"""
