"""The JSON documents of commands, which are also those of the library: plain values, None where a number is unknown."""
