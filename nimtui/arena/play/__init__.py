"""Games between agents: plans, openings, limits, pieces of tournaments, matches, and the judge of their moves."""
