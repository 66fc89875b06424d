"""`nimtui --plain`: play, train and search line by line, for screen readers, dumb terminals and logs.

`commands` reads lines and has the table of what they may say, `lines` has the game on the board, and puts facts into
lines that are understood when they are read aloud: no frames, no escape codes, at most 80 characters.
"""
