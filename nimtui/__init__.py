"""A laboratory in the terminal for how machines learn and search small games."""

from nimtui.version import __version__

__all__ = ["__version__"]
