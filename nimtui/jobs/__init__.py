"""The async worker layer: long work in threads, its progress as snapshots for whoever watches.

Works under an event loop and without one. Knows nothing of what the work is.
"""

from nimtui.jobs.job import Job, JobState, Snapshot
from nimtui.jobs.runner import Jobs

__all__ = ["Job", "JobState", "Jobs", "Snapshot"]
