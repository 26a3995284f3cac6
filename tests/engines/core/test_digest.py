import hashlib
import hmac

import pytest

from engines.core.digest import Keyed, digest, framed, keyed


def test_each_part_is_preceded_by_its_length():
    assert framed("ab", b"c", 1) == bytes(7) + b"\x02ab" + bytes(7) + b"\x01c" + bytes(7) + b"\x08" + bytes(7) + b"\x01"


def test_no_two_lists_of_parts_share_their_bytes():
    assert len({framed("ab", ""), framed("a", "b"), framed("", "ab"), framed("ab")}) == 4


def test_texts_are_utf_8():
    assert framed("ß") == framed("ß".encode())


def test_digests_are_sha_256_and_its_hmac():
    assert digest("tag", b"x") == hashlib.sha256(framed("tag", b"x")).digest()
    assert keyed(b"key", "x") == hmac.new(b"key", framed("x"), "sha256").digest()


@pytest.mark.parametrize("key", [b"", b"key", bytes(range(64))])
def test_a_key_may_be_kept_for_many_messages(key):
    kept = Keyed(key)
    for parts in ((), ("x", 1), (b"x" * 200,)):
        assert kept(framed(*parts)) == keyed(key, *parts)


def test_a_key_that_is_kept_fits_a_block():
    with pytest.raises(ValueError, match="65 bytes"):
        Keyed(bytes(65))
