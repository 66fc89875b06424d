"""The boundary: whatever comes from a file, an argument or a database row passes here before anything works with it.

`signs` says how any text is shown on a terminal, `values` what a date, a number, a name and a text may be, `reading`
how much is read of what path, `paths` what path a person may name, `document` what JSON may hold, `sheet` how a cell
of a CSV file is written. Every room may import this one; it imports none.
"""
