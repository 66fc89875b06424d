"""The Library: find, show, compare, rename, export, delete and open everything that is saved."""
