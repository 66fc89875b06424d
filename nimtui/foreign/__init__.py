"""The boundary: checks everything that comes from a file, an argument or a database row before other code uses it.

`values` checks dates, numbers, names and texts. `reading` limits how much of a file is read. `paths` checks paths,
`document` checks JSON, and `sheet` writes CSV cells. Every package may import this one; it imports none of them.
"""
