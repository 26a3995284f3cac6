"""`tidelog verify`: whether logs are what they claim to be."""

from pathlib import Path

from msgspec import Struct

from services.cli.connection import HERE, Target
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import progress, say, say_json
from services.cli.sources import Source, export, sources
from services.eventlog.reading import BadExport, Export, against


class Verdict(Struct, frozen=True, omit_defaults=True):
    """`bad_version` is the first that does not check: 0 the header, None where the closing line is at fault."""

    source: str
    ok: bool
    match: str = ""
    audience: str = ""
    head: str = ""
    opened: bool = False
    stays_closed: bool = False
    bad_version: int | None = None
    message: str = ""


def verify(
    *source: str,
    against: Path | None = None,
    json: bool = False,
    target: Target = HERE,
) -> None:
    """Check logs: bytes, hashes, fold, and once the secret is revealed every leaf and draw.

    Parameters
    ----------
    source
        files or folders of exports, or ids of matches on a running platform
    against
        the full export of the same match, for a redacted one: leaves open and payloads are what was to be told
    json
        print one JSON document
    """
    if not source:
        raise UsageError("name at least one file, folder or match")
    found = sources(source, target)
    full = None if against is None else _full(against)
    verdicts = [_verdict(item, full) for item in progress(found, "verify", len(found))]
    if json:
        say_json(verdicts)
    else:
        for verdict in verdicts:
            _say(verdict)
    bad = [verdict for verdict in verdicts if not verdict.ok]
    if bad:
        raise CheckFailed(f"{len(bad)} of {len(verdicts)} do not check; the first: {bad[0].source}, {bad[0].message}")


def _full(path: Path) -> Export:
    try:
        return export(Source(str(path), path, HERE))
    except (BadExport, OSError) as error:
        raise CheckFailed(f"{path}: {error}") from error


def _verdict(source: Source, full: Export | None) -> Verdict:
    try:
        found = export(source)
        if full is not None:
            against(found, full)
    except BadExport as bad:
        return Verdict(source.name, ok=False, bad_version=bad.version, message=str(bad))
    header = found.header
    opened = found.secret is not None
    closed = found.closed and found.over and not opened
    return Verdict(
        source.name,
        ok=True,
        match=header.match,
        audience=header.audience,
        head=found.head,
        opened=opened,
        stays_closed=closed,
    )


def _say(verdict: Verdict) -> None:
    if not verdict.ok:
        say(f"BAD {verdict.source}: {verdict.message}")
        return
    closed = "the log stays closed" if verdict.stays_closed else "secret not yet revealed"
    opened = "" if verdict.opened else f", {closed}"
    say(f"ok  {verdict.source}: {verdict.match} at {verdict.head} ({verdict.audience}{opened})")
