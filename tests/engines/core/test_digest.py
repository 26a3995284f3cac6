import hashlib
import hmac

from engines.core.digest import digest, framed, keyed


def test_each_part_is_preceded_by_its_length():
    assert framed("ab", b"c", 1) == bytes(7) + b"\x02ab" + bytes(7) + b"\x01c" + bytes(7) + b"\x08" + bytes(7) + b"\x01"


def test_no_two_lists_of_parts_share_their_bytes():
    assert len({framed("ab", ""), framed("a", "b"), framed("", "ab"), framed("ab")}) == 4


def test_texts_are_utf_8():
    assert framed("ß") == framed("ß".encode())


def test_digests_are_sha_256_and_its_hmac():
    assert digest("tag", b"x") == hashlib.sha256(framed("tag", b"x")).digest()
    assert keyed(b"key", "x") == hmac.new(b"key", framed("x"), "sha256").digest()
