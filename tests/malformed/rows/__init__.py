"""The rows, one module a subject."""
