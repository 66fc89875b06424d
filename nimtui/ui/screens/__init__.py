"""The screens, one a file: each composes widgets and forwards messages, and holds no rules."""
