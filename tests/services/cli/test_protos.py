"""`tidelog protos` gives clients all that is served."""

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engines.core import games
from tests.requirements import PROTOS


def test_every_public_schema_is_written_after_what_it_imports(tidelog, tmp_path):
    assert tidelog("protos", "--out", tmp_path / "set") == 0
    described = FileDescriptorSet.FromString((tmp_path / "set").read_bytes())
    names = [file.name for file in described.file]
    public = {f"tidelog/v1/{path.name}" for path in (PROTOS / "tidelog" / "v1").glob("*.proto")}
    public -= {"tidelog/v1/engine.proto"}
    assert {name for name in names if name.startswith("tidelog/v1/")} == public
    assert {name.split("/")[2] for name in names if name.startswith("tidelog/games/")} == set(games.names())
    for number, file in enumerate(described.file):
        assert set(file.dependency) <= set(names[:number])
