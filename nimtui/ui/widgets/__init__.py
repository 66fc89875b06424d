"""What the screens are composed of. Widgets are given data and say what was done with them by messages."""
