"""Tournaments: live standings, pairings, games to watch, and the form that starts one."""
