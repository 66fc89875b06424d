"""A class: every file of a folder plays against a fixed pool and the others, and gets a mark that depends on neither."""
