"""The peer measured beside: boardgame.io's own server and clients, run by its own benchmark in Node.js."""

import shutil
import subprocess
from pathlib import Path

import msgspec
from msgspec import Struct

from services.cli.errors import CheckFailed


class PeerRun(Struct, frozen=True):
    """One line of the peer's benchmark, as far as we compare it."""

    storage: str
    matches: int
    moves_per_s_median: float
    p50_ms: float
    p99_ms: float


def check(folder: Path) -> None:
    """Raises CheckFailed where the peer can't be run, with what to do."""
    if shutil.which("node") is None:
        raise CheckFailed("the peer needs Node.js; install it, or measure alone with --no-peer")
    if not (folder / "bench.js").is_file():
        raise CheckFailed(f"there is no peer in {folder}; name its folder with --peer")
    if not (folder / "node_modules").is_dir():
        raise CheckFailed(f"the peer is not installed: npm install --ignore-scripts in {folder}")


def run(folder: Path, storage: str, matches: int, seconds: float, port: int) -> PeerRun:
    """One run of the peer. Raises CheckFailed where it gives no figure."""
    words = ["node", "bench.js", "--storage", storage, "--matches", str(matches), "--moves", "40"]
    words += ["--seconds", str(max(1, round(seconds))), "--reps", "1", "--port", str(port)]
    done = subprocess.run(  # noqa: S603 - our own words and numbers
        words, cwd=folder, capture_output=True, check=False, timeout=seconds + 120
    )
    try:
        return msgspec.json.decode(done.stdout, type=PeerRun)
    except msgspec.DecodeError as error:
        raise CheckFailed(f"the peer gave no figure: {done.stderr.decode().strip()[-200:]}") from error
