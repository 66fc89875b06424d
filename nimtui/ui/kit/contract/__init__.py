"""What a screen declares and may ask for: commands, modes, keys, the app, the stack of screens."""
