"""Library: one file of memories, with a method for each operation on it."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from corecall import embedding, errors, replies
from corecall.core import Core

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from typing_extensions import Self

    from corecall.records import (
        Direction,
        Forgotten,
        Importance,
        Kind,
        Linked,
        LinkType,
        Recall,
        RelatedSettings,
        Relations,
        RelationType,
        Remembered,
        Restored,
        Shown,
        Status,
        Unsuperseded,
        Updated,
    )

_CONTRACT = "related_business"
_CONTRACT_VERSION = 1


class Library:
    """An open library. Use it as a context manager, from any number of threads; `corecall.open` makes one.

    Attributes:
        core: The handle, for operations without a method here, for `cancel` and for `progress`.
    """

    def __init__(self, core: Core, embedder: embedding.Embedder | None = None) -> None:
        self.core = core
        self._embedder = embedder
        self._writes_relations = _CONTRACT in core.capabilities["operations"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<corecall.Library {'closed' if self.core.closed else 'open'}>"

    def remember(
        self,
        content: str,
        *,
        title: str | None = None,
        kind: Kind = "knowledge",
        tags: Iterable[str] = (),
        project: str = "",
        importance: Importance = "important",
        parent: str | None = None,
        supersedes: str | None = None,
        see_also: Iterable[str] = (),
        contradicts: Iterable[str] = (),
        derived_from: Iterable[str] = (),
        expected_head: str | None = None,
        force: bool = False,
        propose: bool = False,
        computer: str = "",
        user: str = "",
        device: str = "",
        emotion: int = -1,
    ) -> Remembered:
        """Stores a memory, durably before it returns.

        Targets (`parent`, `supersedes` and the links) are named by id, by exact title, or by the first 8 or more
        characters of an id, where only one live memory fits.

        Args:
            content: Any text up to 1 MiB, kept exactly.
            title: Without one, the first line of the content.
            kind: What sort of memory it is.
            tags: Words to find it by.
            project: A scope to recall within.
            importance: `trivial` is a diary line: it takes no relations and is recalled when nothing else fits.
            parent: The memory it belongs under.
            supersedes: The memory it replaces; that one stays, marked.
            see_also: Memories worth reading with it; the link shows from both sides.
            contradicts: Memories it says the opposite of.
            derived_from: Memories it was made from.
            expected_head: With `supersedes`: refuse unless this is the newest version of the replaced memory.
            force: Store it although there are memories that say nearly the same.
            propose: Return such memories in place of raising; nothing is written then.
            computer: A scope to recall within.
            user: Who it is about.
            device: Where it was written.
            emotion: A label of the host's, -1 for none.

        Raises:
            DuplicateCandidates: There are memories that say nearly the same, and neither `force`, `parent`, a relation,
                `importance="trivial"` nor `propose` was given. Nothing was written.
            NotFound: A target isn't there.
            Conflict: The target was replaced already, or the chain would close on itself.
        """
        relations: dict[str, Any] = {
            "supersedes": supersedes,
            "see_also": _texts("see_also", see_also),
            "contradicts": _texts("contradicts", contradicts),
            "derived_from": _texts("derived_from", derived_from),
        }
        relations = {name: value for name, value in relations.items() if value not in (None, [])}
        payload: dict[str, Any] = {
            "content": content,
            "title": title,
            "kind": kind,
            "tags": _texts("tags", tags),
            "project": project,
            "computer": computer,
            "user": user,
            "device": device,
            "importance": importance,
            "parent": parent,
            "expected_head": expected_head,
            "force": force,
            "emotion": emotion,
            **relations,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        require = self._relation_contract() if relations else None
        reply = self._call("remember", payload, embedding.memory_text(title, content), require=require)
        remembered = replies.remembered(reply)
        if remembered.state == "candidates" and not propose:
            raise errors.DuplicateCandidates(remembered.merge, remembered.parent)
        return remembered

    def recall(
        self,
        text: str,
        *,
        limit: int = 20,
        kind: Kind | None = None,
        project: str | None = None,
        computer: str | None = None,
        tags: Iterable[str] | None = None,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        titles: bool = False,
        min_score: float = 0.0,
        no_related: bool = False,
        superseded: Literal["mark", "hide"] = "mark",
        related_settings: RelatedSettings | None = None,
        explain: bool = False,
    ) -> Recall:
        """Finds memories by words and, where the library has a model, by meaning.

        Args:
            text: A question or some words.
            limit: The most hits, up to 1,000.
            kind: Only memories of this kind; as `project` and `computer`, also for associations.
            project: Only memories of this project.
            computer: Only memories of this computer.
            tags: Only memories with all of these tags. With tags, `since` or `until` there are no associations.
            since: Only memories made at or after this time: RFC 3339, or a datetime with a zone.
            until: Only memories made before this time.
            titles: Leave the entries out.
            min_score: Only hits of at least this score, from 0 to 1.
            no_related: Neither associations nor hints on what was replaced.
            superseded: `mark` replaced hits, or `hide` them and fill up with others.
            related_settings: How many associations there may be, and which.
            explain: Add the ledger of the associations, and a digest of the hits.
        """
        payload: dict[str, Any] = {
            "text": text,
            "limit": limit,
            "kind": kind,
            "project": project,
            "computer": computer,
            "tags": None if tags is None else _texts("tags", tags),
            "since": _time("since", since),
            "until": _time("until", until),
            "titles": titles,
            "min_score": min_score,
            "no_related": no_related,
            "superseded": superseded,
            "related_settings": related_settings,
            "explain": explain,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        return replies.recall(self._call("recall", payload, text))

    def show(self, id: str) -> Shown:
        """One memory, whole.

        Args:
            id: An id, an exact title, or the first 8 or more characters of an id; for a forgotten memory its exact id.

        Raises:
            NotFound: There is no such memory.
        """
        return replies.shown(self._call("show", {"id": id}))

    def relations(
        self,
        id: str,
        *,
        type: RelationType | None = None,
        direction: Direction = "both",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Relations:
        """The edges of a memory, a page of at most `limit`.

        Args:
            id: As for `show`.
            type: Only edges of this type.
            direction: Only edges that leave the memory (`outgoing`) or reach it (`incoming`).
            limit: The most edges of a page.
            cursor: `next_cursor` of the page before.
        """
        payload = {"id": id, "type": type, "direction": direction, "limit": limit, "cursor": cursor}
        payload = {name: value for name, value in payload.items() if value is not None}
        return replies.relations(self._call("relations", payload))

    def forget(self, id: str, *, cascade: Literal["derived"] | None = None, dry_run: bool = False) -> Forgotten:
        """Makes a tombstone of a memory: it leaves recall, its text and relations stay in the file for `restore`.

        Args:
            id: An id, an exact title, or the first 8 or more characters of an id.
            cascade: `derived` also forgets memories whose every source (`derived_from`) is gone.
            dry_run: Only tell what would happen.

        Raises:
            NotFound: There is no such memory, or it is forgotten already.
        """
        payload: dict[str, Any] = {"id": id, "dry_run": dry_run}
        if cascade is not None:
            payload["cascade"] = cascade
        return replies.forgotten(self._call("forget", payload))

    def restore(self, id: str) -> Restored:
        """Makes a tombstone a memory again, with its text and relations.

        Where something else replaced its target meanwhile, the newer one wins, and `status().conflicts` lists both.

        Args:
            id: The whole id of a forgotten memory.

        Raises:
            NotFound: There is no such memory.
        """
        return replies.restored(self._call("restore", {"id": id}))

    def update(
        self,
        id: str,
        *,
        content: str | None = None,
        title: str | None = None,
        kind: Kind | None = None,
        tags: Iterable[str] | None = None,
        project: str | None = None,
        computer: str | None = None,
        user: str | None = None,
        importance: Importance | None = None,
        parent: str | None = None,
        emotion: int | None = None,
        device: str = "",
        if_updated_at: str | None = None,
    ) -> Updated:
        """Edits a memory in place; what isn't given stays, and so do its relations.

        To record that something changed, `remember` the new state with `supersedes`: then the old one can be told.

        Args:
            id: An id, an exact title, or the first 8 or more characters of an id.
            content: The new text. A title that was made from the old text is made from the new one.
            title: The new title.
            kind: As for `remember`, like the rest.
            tags: All its tags.
            project: A scope to recall within.
            computer: A scope to recall within.
            user: Who it is about.
            importance: `trivial` is refused while the memory has relations.
            parent: The memory it belongs under; `""` for none.
            emotion: A label of the host's, -1 for none.
            device: Where it is written.
            if_updated_at: Refuse unless this is the memory's `updated_at`.

        Raises:
            NotFound: There is no such memory.
            Conflict: It was changed after `if_updated_at`, or stands above its new parent.
        """
        payload: dict[str, Any] = {
            "id": id,
            "content": content,
            "title": title,
            "kind": kind,
            "tags": None if tags is None else _texts("tags", tags),
            "project": project,
            "computer": computer,
            "user": user,
            "importance": importance,
            "parent": parent,
            "emotion": emotion,
            "device": device,
            "if_updated_at": if_updated_at,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        text = self._updated_text(id, title, content)
        return replies.updated(self._call("update", payload, text))

    def _updated_text(self, id: str, title: str | None, content: str | None) -> str | None:
        """What the embedder reads of a memory with another title or content; None where it stays as it is."""
        if self._embedder is None or (title is None and content is None):
            return None
        entry = self.show(id).entry
        if title in (None, entry.title) and content in (None, entry.content):
            return None
        if title is None and entry.content.lstrip().startswith(entry.title.removesuffix("…")):
            return content
        title = entry.title if title is None else title
        return embedding.memory_text(title, entry.content if content is None else content)

    def link(self, id: str, target: str, *, type: LinkType = "see_also", device: str = "") -> Linked:
        """Links two memories; a link that is there already is left as it is.

        Args:
            id: The memory the link starts at: an id, an exact title, or the first 8 or more characters of an id.
            target: The memory it leads to, named likewise.
            type: `see_also` shows from both sides; `contradicts` and `derived_from` are said by `id` of `target`.
            device: Where it is written.

        Raises:
            NotFound: One of them isn't there.
            InvalidArgument: They are one memory, or one is a diary line.
        """
        payload = {"id": id, "target": target, "type": type, "device": device}
        return replies.linked(self._call("link", payload, require=self._relation_contract()))

    def unlink(self, id: str, target: str, *, type: LinkType = "see_also", device: str = "") -> Linked:
        """Withdraws a link. Both memories stay; forgotten ones are named by their exact id.

        Args:
            id: The memory the link starts at; of `see_also` either one.
            target: The memory it leads to.
            type: Which link.
            device: Where it is written.

        Raises:
            NotFound: There is no such link.
        """
        payload = {"id": id, "target": target, "type": type, "device": device}
        return replies.linked(self._call("unlink", payload, require=self._relation_contract()))

    def unsupersede(self, id: str, *, device: str = "") -> Unsuperseded:
        """Withdraws the replacement that a memory wrote: it and what it replaced stand side by side.

        Args:
            id: The memory that replaces another; as for `show`.
            device: Where it is written.

        Raises:
            NotFound: It replaces nothing.
        """
        payload = {"id": id, "device": device}
        return replies.unsuperseded(self._call("unsupersede", payload, require=self._relation_contract()))

    def status(self) -> Status:
        """Counts, model, path and versions of the library, and its statistics queue."""
        return replies.status(self._call("status", {}))

    def statistics_flush(self) -> None:
        """Waits until the co-recall evidence of earlier recalls is stored; they themselves never wait for it."""
        self._call("statistics_flush", {})

    def close(self) -> None:
        """Cancels the running calls, waits for them, and closes the file. Closing again does nothing."""
        self.core.close()

    def _call(
        self,
        operation: str,
        payload: dict[str, Any],
        embedded_text: str | None = None,
        *,
        require: Mapping[str, int] | None = None,
    ) -> Any:
        """Runs an operation; with an embedder, the vector of `embedded_text` goes with it."""
        attachments = []
        if self._embedder is not None and embedded_text is not None:
            payload["vector"], attachment = embedding.embed(self._embedder, embedded_text)
            attachments.append(attachment)
        return self.core.call(operation, payload, attachments, require=require).result

    def _relation_contract(self) -> dict[str, int]:
        """What every write of a relation requires: a library that drops what it doesn't know must not get it."""
        if not self._writes_relations:
            raise errors.Unsupported(
                f"this native library has no operation {_CONTRACT}: it would lose the relation; install a newer one",
                name="operation.unknown",
                path="require.related_business",
            )
        return {_CONTRACT: _CONTRACT_VERSION}


def open(
    path: str | os.PathLike[str],
    *,
    model: str | None = None,
    embedder: embedding.Embedder | None = None,
    read_only: bool = False,
) -> Library:
    """Opens the library in a file, which is made where there is none.

    Args:
        path: The file; `":memory:"` for a library that is gone when it is closed.
        model: `none` (words only), `test-hash:<dimensions>` or `host:<name>`. A library is bound to the model it was
            made with; left out, that one is used, and `none` for a new file.
        embedder: Your own model: takes a list of texts, gives a float32 array of shape (texts, dimensions). The
            library's model is `host:<its attribute name>`, or `model`.
        read_only: Refuse writes, and don't make the file.

    Raises:
        CorecallError: The file can't be opened, is no library, or belongs to another model.
    """
    config: dict[str, Any] = {"path": os.fspath(path)}
    if embedder is not None:
        model = embedding.host_model(embedder, model)
    if model is not None:
        config["model"] = model
    if read_only:
        config["read_only"] = True
    return Library(Core(config), embedder)


def _texts(path: str, values: Iterable[str]) -> list[str]:
    """A list of texts; a lone string, of which Python would take the letters, is refused."""
    if isinstance(values, str):
        raise errors.InvalidArgument(
            f"{path} takes a list of texts, not one text; write {path}=[…]", name="argument.type", path=path
        )
    return list(values)


def _time(path: str, value: str | datetime | None) -> str | None:
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise errors.InvalidArgument(
            f"{path} has no zone; say datetime(…, tzinfo=timezone.utc)", name="argument.value", path=path
        )
    return value.isoformat()
