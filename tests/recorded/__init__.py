"""What two hundred commands print, as it was before reports were written by one writer, and what they print now.

`python -m tests.recorded --to FOLDER` writes the text and the document of every call, to compare two versions.
"""
