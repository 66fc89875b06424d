"""Tournaments: standings while they come about, pairings, games looked on at, and the form that begins one."""
