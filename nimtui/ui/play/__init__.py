"""Play: the board, what the opponent thinks, hints, replays and reviews."""
