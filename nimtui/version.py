"""The version of nimtui."""

__version__ = "0.1.0"
