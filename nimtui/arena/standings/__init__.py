"""What played games add up to: sums, standings, crosstables, pools, verdicts, and how they are told."""
