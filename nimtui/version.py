"""The version of nimtui."""

__version__ = "0.2.0"
