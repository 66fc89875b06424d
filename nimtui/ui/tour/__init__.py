"""Show me: a guided tour on the real screens. Its steps are data; the app shows the current one above the keys."""
