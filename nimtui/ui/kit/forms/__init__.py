"""Forms and dialogs: typed fields, drafts, choices."""
