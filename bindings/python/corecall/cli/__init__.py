"""The command `corecall`. It uses the public Python API only, as any program could."""

from corecall.cli.app import app, main

__all__ = ["app", "main"]
