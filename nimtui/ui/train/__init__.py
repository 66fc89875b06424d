"""Training: the map of all positions, the curve, one position with its moves, one learner or two."""
