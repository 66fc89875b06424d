"""Agents beside each other on one position, with the exact values between them; and what is saved side by side."""
