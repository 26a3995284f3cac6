"""Sizes of pages."""

from gateway.limits import DEFAULT_PAGE, MAX_PAGE
from services.common.refusals import Reason, Refused


def page_size(asked: int) -> int:
    """Raises Refused."""
    if asked < 0:
        raise Refused(Reason.MALFORMED, "a page holds at least one item - at `$.page_size`")
    if asked > MAX_PAGE:
        raise Refused(Reason.TOO_LARGE, f"a page holds at most {MAX_PAGE} items - at `$.page_size`")
    return asked or DEFAULT_PAGE
