"""Benchmarks: figures beside goals and named peers of the same run; `python -m tests.bench` runs them all."""

import os

# One thread for everybody: the engine works on the caller's. Read by numpy when it is first imported.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, "1")
