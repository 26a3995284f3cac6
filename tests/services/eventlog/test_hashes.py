from collections import Counter

import pytest

from services.eventlog import hashes, keys


def test_no_two_lists_of_parts_share_their_bytes():
    assert hashes.request_key("ab", "c") != hashes.request_key("a", "bc")
    assert hashes.commitment("a", b"b") != hashes.commitment("ab", b"")


def test_tags_keep_the_kinds_of_hash_apart():
    assert len({hashes.leaf(b"a", b"b"), hashes.commitment("a", b"b"), hashes.genesis("a")}) == 3


def test_every_version_has_its_own_salt():
    salts = {hashes.salt(bytes(32), version) for version in range(1, 1000)}
    assert len(salts) == 999
    assert hashes.draw_key(bytes(32)) not in salts


@pytest.mark.parametrize("player", ["https://id.example|ada", "service:clock"])
def test_a_create_asked_again_names_the_same_match(player):
    first = hashes.match_id(bytes(32), player, "r-1")
    assert first == hashes.match_id(bytes(32), player, "r-1")
    assert len(first) == 24
    assert set(first) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    assert first != hashes.match_id(bytes(32), player, "r-2")
    assert first != hashes.match_id(bytes([1] * 32), player, "r-1")


def test_matches_spread_over_all_shards():
    count = Counter(hashes.shard(f"match-{n}") for n in range(1600))
    assert set(count) == set(range(hashes.SHARDS))
    assert min(count.values()) > 60


def test_the_keys_of_a_match_and_its_shard_carry_one_tag():
    match = "island-42"
    tag = keys.tag(hashes.shard(match))
    shard = hashes.shard(match)
    of_match = [keys.match(match), keys.secret(match), keys.snapshot(match)]
    of_shard = [keys.feed(shard), keys.heads(shard), keys.meta(shard)]
    for key in of_match + of_shard:
        assert key[key.index("{") : key.index("}") + 1] == tag
    assert len(set(of_match + of_shard)) == 6
