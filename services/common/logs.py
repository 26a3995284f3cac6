"""Structured logs on standard error, one line an outcome. Never a hand, a secret or a token."""

import logging
import sys
from typing import Any

_HIDDEN = "rich"
"""structlog loads it where it is installed, for tracebacks that no service prints."""

_loaded = sys.modules.get(_HIDDEN)
sys.modules[_HIDDEN] = None  # type: ignore[assignment]  # the way to make an import fail
import structlog  # noqa: E402 - after the line that makes it light

if _loaded is None:
    del sys.modules[_HIDDEN]
else:
    sys.modules[_HIDDEN] = _loaded


def logger() -> Any:
    """A logger; each line takes an event and what belongs to it by name."""
    return structlog.get_logger()


def configure(role: str, level: str = "info") -> None:
    """JSON lines, or readable ones on a terminal; every line names the role."""
    readable = sys.stderr.isatty()
    renderer: Any = structlog.dev.ConsoleRenderer() if readable else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *(() if readable else (structlog.processors.format_exc_info,)),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(role=role)
