"""`python -m corecall`: the command line."""

from corecall.cli import main

main()
