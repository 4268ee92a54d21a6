"""`corecall-sdk` itself, taken from its single file without installing the package around it."""

from __future__ import annotations

import importlib.util
import sys

from crates import ROOT

_spec = importlib.util.spec_from_file_location("corecall_sdk", ROOT / "bindings" / "python" / "corecall" / "sdk.py")
if _spec is None or _spec.loader is None:
    sys.exit("bindings/python/corecall/sdk.py is missing")
_sdk = importlib.util.module_from_spec(_spec)
# Dataclasses look their module up.
sys.modules[_spec.name] = _sdk
_spec.loader.exec_module(_sdk)

NAME: str = _sdk.NAME
TARGETS: tuple[str, ...] = _sdk.TARGETS
SCHEMA_VERSION: int = _sdk.SCHEMA_VERSION
canonical_tar = _sdk.canonical_tar
checksums = _sdk.checksums
file_records = _sdk.file_records
library_path = _sdk.library_path
