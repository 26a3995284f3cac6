"""Files that are nearly right: exports, editions, snapshots. Each is refused by its own error, or is sound."""

from contextlib import suppress
from hashlib import sha256
from itertools import islice

import pytest

from engines.core import games
from engines.core.errors import InvalidEdition
from services.cli.errors import CheckFailed
from services.cli.verify import verify
from services.common.refusals import Refused
from services.engine.importing import Importer
from services.eventlog import snapshots
from services.eventlog.export import export_full, export_redacted
from services.eventlog.memory import MemoryLog
from services.eventlog.reading import BadExport, lines_of, read
from services.eventlog.sealing import SecretKeeper
from tests.faults.fuzz.mutations import mutated, some, survived
from tests.services.eventlog.forging import reclosed
from tests.services.eventlog.given import GAME, SECRET, SMALL_EDITION, play_on, started

TIMES = [pytest.param(1, id="short"), pytest.param(20, id="soak", marks=pytest.mark.soak)]
soaking = pytest.mark.parametrize("times", TIMES)

HOSTED = play_on(started(edition=SMALL_EDITION), commands=6)
LIVE = b"".join(export_full(HOSTED.entries, SMALL_EDITION, SECRET))
TOLD = b"".join(export_redacted(HOSTED.entries, SMALL_EDITION, HOSTED.aggregate, 0))
OVER = b"".join(export_full(play_on(started(edition=SMALL_EDITION)).entries, SMALL_EDITION, None))


def closed(data: bytes) -> bytes:
    """With the closing line that its bytes ask for, so that what is before it is looked at."""
    lines = data.splitlines()
    try:
        return reclosed([*lines[:-1], LIVE.splitlines()[-1]])
    except (ValueError, IndexError):
        return data


@soaking
def test_exports_are_read_or_bad(times):
    corpus = [LIVE, TOLD, OVER]
    seen = survived(lambda data: read(lines_of([data])), BadExport, some(corpus, 500 * times, 1))
    assert (seen["taken"] >= 3, seen["refused"] > 400) == (True, True)


@soaking
def test_exports_that_fit_again_are_read_or_bad(times):
    """Their lines, not their sums, are what is wrong."""
    lines = [line for export in (LIVE, TOLD) for line in export.splitlines()]

    def read_with(data: bytes) -> None:
        for export in (LIVE, TOLD):
            body = export.splitlines()
            for place in {0, 1, len(body) // 2, len(body) - 2}:
                read(lines_of([closed(b"\n".join([*body[:place], data.replace(b"\n", b""), *body[place + 1 :]]))]))

    assert survived(read_with, BadExport, some(lines, 600 * times, 2))["refused"]


@soaking
async def test_imports_are_stored_or_refused(times):
    log = MemoryLog()
    importer = Importer(GAME, log, SecretKeeper())
    for number, data in enumerate(some([LIVE], 120 * times, 3)):
        try:
            await importer.store([closed(data) if number % 2 else data], f"COPY{number}")
        except Refused:
            assert await log.read(f"COPY{number}") == []
        else:
            assert await log.read(f"COPY{number}")


@soaking
@pytest.mark.parametrize("game", games.names())
def test_editions_are_read_or_invalid(game, times):
    corpus = [games.edition(game, title) for title in games.editions(game)]
    seen = survived(games.engine(game).catalog, InvalidEdition, some(corpus, 1_000 * times, 4))
    assert seen["refused"]


@soaking
def test_snapshots_are_loaded_or_bad(times):
    """Those too whose sum fits: another code's, say."""
    whole = snapshots.dump(HOSTED.aggregate)
    packed = whole[16:]

    def load(data: bytes) -> None:
        snapshots.load(snapshots.parse(data), HOSTED.unborn())

    def load_summed(data: bytes) -> None:
        load(sha256(data).digest()[:16] + data)

    changed = (data for data in some([whole], 2_000 * times, 5) if data != whole)
    assert set(survived(load, snapshots.BadSnapshot, changed)) == {"refused"}
    assert survived(load_summed, snapshots.BadSnapshot, some([packed], 2_000 * times, 6))["refused"]


@soaking
def test_verify_says_of_any_file_what_is_wrong(times, tmp_path, capsys):
    file = tmp_path / "export.jsonl"
    for data in islice(mutated([LIVE, TOLD, OVER], 7), 60 * times):
        file.write_bytes(data)
        with suppress(CheckFailed):
            verify(str(file))
        assert capsys.readouterr().out.startswith(("ok ", "BAD "))
