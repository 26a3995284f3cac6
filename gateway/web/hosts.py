"""Under which names browsers may ask: a page of another name that is made to point here is let in to nothing."""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from starlette.types import Scope

from gateway.web.context import Aborted
from gateway.web.refusing import malformed

ANY = "*"
ALWAYS = "localhost"
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d*)?", re.ASCII)


class Hosts:
    """Allows the names, `localhost`, and every address: whoever has a page at an address has that address.

    ANY among the names allows all of them.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {ALWAYS, *(name.lower() for name in names)}

    def refusal(self, scope: Scope) -> Aborted | None:
        """A request of HTTP/1.1 names one host; older clients, which are no browsers, need not."""
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) > 1 or (not given and scope["http_version"] != "1.0"):
            return malformed(400, "a request names its host, once - at `$host`")
        if not given or ANY in self._names or self._allows(given[0].decode("latin-1").lower()):
            return None
        return malformed(421, "this name is not served here; --http-host (TIDELOG_HTTP_HOST) names those that are")

    def _allows(self, given: str) -> bool:
        found = _HOST.fullmatch(given)
        if found is None:
            return False
        return found[1].removesuffix(".") in self._names or _is_address(found[1].strip("[]"))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
