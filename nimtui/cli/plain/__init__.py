"""`nimtui --plain`: play, train and search line by line, for screen readers, dumb terminals and logs.

`commands` reads lines and has the table of what they may say, `dialogue` has the game on the board. All others put
facts into lines that are understood when they are read aloud: no frames, no escape codes, at most 80 characters.
"""
