"""Search: the tree, its windows and cutoffs, the events in time."""
