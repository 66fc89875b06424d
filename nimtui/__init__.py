"""A laboratory in the terminal for how machines learn and search small games."""

__version__ = "0.1.0"
