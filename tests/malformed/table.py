"""The table of malformed calls, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.malformed.rows import attached, config, envelope, json_text, library, related, stateless

if TYPE_CHECKING:
    from tests.malformed.row import Row

SECTIONS: dict[str, list[Row]] = {
    "json": json_text.ROWS,
    "envelope": envelope.ROWS,
    "related": related.ROWS,
    "attachments": attached.ROWS,
    "stateless": stateless.ROWS,
    "library": library.ROWS,
    "config": config.ROWS,
}

ROWS: list[Row] = [row for rows in SECTIONS.values() for row in rows]
