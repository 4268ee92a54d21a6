"""Malformed calls: a table of refusals, and random mutations of valid requests."""
