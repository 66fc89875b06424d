"""The async worker layer: runs long work in threads and reports its progress as snapshots.

Works with and without an event loop. Knows nothing about the work itself.
"""

from nimtui.jobs.job import Job, Jobs, JobState, Snapshot

__all__ = ["Job", "JobState", "Jobs", "Snapshot"]
