import os

import pytest

from services.eventlog import processes
from services.eventlog.data_directory import OWNER_FILE, AlreadyUp, Claim, Owner, owner


def test_a_claimed_directory_is_nobody_elses(tmp_path):
    claim = Claim.take(tmp_path / "data")
    with pytest.raises(AlreadyUp, match=f"already up on {tmp_path}/data: process {os.getpid()}$"):
        Claim.take(tmp_path / "data")
    claim.announce(["http://127.0.0.1:8080", "127.0.0.1:50051"])
    with pytest.raises(AlreadyUp, match=r"at http://127.0.0.1:8080, 127.0.0.1:50051$") as already:
        Claim.take(tmp_path / "data")
    assert already.value.owner == owner(tmp_path / "data")
    claim.announce(["short"])
    assert owner(tmp_path / "data") == Owner(os.getpid(), processes.started(os.getpid()), ("short",))
    claim.release()
    Claim.take(tmp_path / "data").release()


def test_a_file_left_by_a_dead_process_claims_nothing(tmp_path):
    (tmp_path / OWNER_FILE).write_text('{"pid":1,"started":"long ago","addresses":["old"]}')
    assert owner(tmp_path) is None
    claim = Claim.take(tmp_path)
    assert owner(tmp_path) == Owner(os.getpid(), processes.started(os.getpid()))
    claim.release()
    assert owner(tmp_path) is None


@pytest.mark.parametrize("written", [b"", b"{", b"null", b"\xff"])
def test_an_unreadable_file_names_nobody(tmp_path, written):
    (tmp_path / OWNER_FILE).write_bytes(written)
    assert owner(tmp_path) is None
    Claim.take(tmp_path).release()


def test_a_process_is_told_apart_from_a_later_one_with_its_number():
    began = processes.started(os.getpid())
    assert processes.is_same(os.getpid(), began)
    assert not processes.is_same(os.getpid(), "another beginning")
    assert not processes.is_same(os.getpid(), None)
    assert processes.started(2**22 + 1) is None
    processes.signal(2**22 + 1, 0)
