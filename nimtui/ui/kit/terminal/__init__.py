"""What the terminal can do, and what goes to it: signs, colours, cells, the clipboard."""
