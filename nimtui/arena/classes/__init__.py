"""A class: every file of a folder plays a fixed pool and the others; the games against the pool make the mark."""
