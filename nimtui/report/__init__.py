"""Reports: what a result says, once, for screen, pipe, speech and documents. Any room may import this one.

`values` is the one writer of numbers.
"""
