# SPDX-License-Identifier: MIT
"""Who may start work: pages that this server gave out, and nobody in the name of another site.

A browser sends requests to this computer on behalf of any site that is open in it.  It says in
`Sec-Fetch-Site` (W3C Fetch Metadata) where a request comes from, and other sites are refused by
that; a browser too old to say so cannot read the token, which the page is given with its choices
and sends back with each question.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping

TOKEN_HEADER = "X-Aesfit-Token"  # noqa: S105 - a header's name
MOST_CONNECTIONS = 64
MOST_HEADER_BYTES = 16 * 1024
"""Of the request line and all headers."""
_OWN_SITES = ("same-origin", "none")
"""The page itself, and an address that was typed or opened from a bookmark."""


class Tokens:
    """Tokens that name a page each, signed so that none has to be remembered."""

    def __init__(self) -> None:
        """Draw the secret; tokens of an earlier server are refused by it."""
        self._secret = secrets.token_bytes(32)

    def new(self) -> str:
        """A token for one more page."""
        page = secrets.token_hex(8)
        return f"{page}-{self._signature(page)}"

    def page(self, token: str | None) -> str | None:
        """The page that a token was given to; None for any other text."""
        page, _, signature = (token or "").partition("-")
        wanted = self._signature(page)
        return page if hmac.compare_digest(wanted.encode(), signature.encode()) else None

    def _signature(self, page: str) -> str:
        return hmac.new(self._secret, page.encode(), hashlib.sha256).hexdigest()


def refusal(headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Status and sentence for a request that is not answered at all."""
    if headers.get("sec-fetch-site", "none") not in _OWN_SITES:
        return 403, "another site sent this request; open the page of aesfit serve by its address"
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        return 413, "a request has no body here; put the question into its address"
    return None
