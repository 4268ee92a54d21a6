"""A language model that the user names, spoken to as OpenAI's chat completions are. Nothing is called unasked."""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any

from corecall.evaluation.dataset import DataError

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = "openai:"
_TIMEOUT_S = 120.0
_TRIES = 4
_LARGEST_REPLY = 1 << 20
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})


class ProviderError(Exception):
    """The provider refused or couldn't be reached; the message has no key and no text of a memory."""


class Provider:
    """An endpoint with chat completions.

    Args:
        name: `openai:BASE_URL`, for example `openai:http://localhost:8080/v1`.
        model: The model's name there.
        key: Sent as a bearer token; over plain http only to this machine.
        pause: Waits some seconds before another try.

    Raises:
        DataError: The name is none, or the key would go over the network in the clear.
    """

    def __init__(
        self, name: str, model: str, key: str | None = None, pause: Callable[[float], None] = time.sleep
    ) -> None:
        kind, base = name[: len(_PREFIX)], name[len(_PREFIX) :]
        parts = urllib.parse.urlsplit(base)
        if (
            kind != _PREFIX
            or parts.scheme not in ("http", "https")
            or not parts.hostname
            or parts.username
            or parts.query
        ):
            message = f"a provider is written {_PREFIX}https://HOST/PATH, without a key in it"
            raise DataError(message)
        if key and parts.scheme == "http" and not _is_local(parts.hostname):
            message = f"the key would go to {parts.hostname} in the clear; name an https address"
            raise DataError(message)
        self.name = name
        self.model = model
        self._url = base.rstrip("/") + "/chat/completions"
        self._headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._pause = pause
        self._opener = urllib.request.build_opener(_NoRedirect)

    def complete(self, system: str, text: str) -> str:
        """The model's answer.

        Raises:
            ProviderError: It gave none, after four tries where trying again may help.
        """
        body = {
            "model": self.model,
            "temperature": 0,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": text}],
        }
        request = urllib.request.Request(self._url, json.dumps(body).encode(), self._headers)  # noqa: S310 - http or https, checked
        for tried in range(1, _TRIES + 1):
            try:
                with self._opener.open(request, timeout=_TIMEOUT_S) as reply:
                    return _content(reply.read(_LARGEST_REPLY))
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in _AGAIN or tried == _TRIES:
                    message = f"{self.name} answered {error.code} {error.reason}"
                    raise ProviderError(message) from error
            except (OSError, http.client.HTTPException) as error:
                if tried == _TRIES:
                    message = f"{self.name} can't be reached: {error}"
                    raise ProviderError(message) from error
            self._pause(float(2**tried))
        raise AssertionError


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Follows none."""


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _content(reply: bytes) -> str:
    try:
        content = json.loads(reply)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as error:
        message = "the provider's reply is no chat completion"
        raise ProviderError(message) from error
    if not isinstance(content, str):
        message = "the provider's reply has no text"
        raise ProviderError(message)
    return content.strip()
