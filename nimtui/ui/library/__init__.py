"""All that is kept: found, shown, compared, renamed, exported, deleted and opened where it belongs."""
