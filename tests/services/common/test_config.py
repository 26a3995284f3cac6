import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.common.config import (
    BadSetting,
    cluster_key,
    data_directory,
    engine_places,
    replicas,
    secret_key,
    store_url,
)


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    for name in ("TIDELOG_CLUSTER_KEY", "TIDELOG_SECRET_KEY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_data_lies_where_the_desktop_says_or_in_the_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", "/people/ann")
    assert data_directory() == Path("/people/ann/.local/share/tidelog")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_directory() == tmp_path / "tidelog"


def test_the_clusters_key_is_the_one_given(monkeypatch, tmp_path):
    monkeypatch.setenv("TIDELOG_CLUSTER_KEY", "given")
    assert cluster_key(tmp_path, make=True) == "given"
    assert list(tmp_path.iterdir()) == []


def test_the_clusters_key_is_made_once_for_its_owner_alone(tmp_path):
    data = tmp_path / "new" / "data"
    key = cluster_key(data, make=True)
    assert len(bytes.fromhex(key)) == 32
    assert cluster_key(data) == cluster_key(data, make=True) == key
    (file,) = data.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_all_who_make_the_key_at_once_get_the_same(tmp_path):
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda n: cluster_key(tmp_path / str(n // 8), make=True), range(8)))
    assert len(keys) == 1


def test_without_a_key_to_be_found_what_to_set_is_told(tmp_path):
    with pytest.raises(BadSetting, match="TIDELOG_CLUSTER_KEY"):
        cluster_key(tmp_path)


def test_an_empty_key_opens_no_door(tmp_path):
    (tmp_path / "cluster.key").write_text("\n")
    for make in (False, True):
        with pytest.raises(BadSetting, match="empty"):
            cluster_key(tmp_path, make=make)


def test_secrets_are_sealed_with_32_bytes_or_not_at_all(monkeypatch):
    assert secret_key() is None
    monkeypatch.setenv("TIDELOG_SECRET_KEY", "0f" * 32)
    assert secret_key() == bytes([15] * 32)
    for bad in ("0f", "0f" * 31, "0f" * 33, "xy" * 32):
        monkeypatch.setenv("TIDELOG_SECRET_KEY", bad)
        with pytest.raises(BadSetting, match="64 hex digits"):
            secret_key()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", ()),
        ("chess=a:1", ("chess=a:1",)),
        (" chess=a:1 , go=b:2,", ("chess=a:1", "go=b:2")),
        ("chess=a:1,go=b:2,chess=c:3", ("chess=a:1,c:3", "go=b:2")),
        ("chess=dns:engines:1", ("chess=dns:engines:1",)),
    ],
)
def test_places_of_engines_are_grouped_by_game(text, places):
    assert engine_places(text) == places


@pytest.mark.parametrize(("durability", "count"), [("local", 0), ("replicated(1)", 1), ("replicated(12)", 12)])
def test_durability_says_how_many_replicas_are_waited_for(durability, count):
    assert replicas(durability) == count


@pytest.mark.parametrize("durability", ["", "twice", "replicated", "replicated(0)", "replicated(-1)", "local "])
def test_what_is_no_durability_is_named(durability):
    with pytest.raises(BadSetting, match=r"`replicated\(N\)`"):
        replicas(durability)


@pytest.mark.parametrize("text", ["chess", "chess=", "=a:1", "chess=a", "chess=a:1,go"])
def test_what_is_no_place_is_named(text):
    with pytest.raises(BadSetting, match="GAME=HOST:PORT"):
        engine_places(text)


@pytest.mark.parametrize("text", ["http://ann:pass@word@store:6379/0", "elsewhere", "redis:/store"])
def test_what_is_no_stores_url_is_named_without_a_password(text):
    with pytest.raises(BadSetting, match="begins with redis://") as refused:
        store_url(text)
    assert "word" not in str(refused.value)
    assert text.rpartition("@")[2].removeprefix("http://") in str(refused.value)
