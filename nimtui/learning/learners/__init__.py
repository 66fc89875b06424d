"""The learners, a file each. Every module here with LEARNER is one."""
