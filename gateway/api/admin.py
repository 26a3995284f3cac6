"""AdminService: what operators ask and order. Every action is one line of the log, carried out or not."""

from gateway.api.operating import Operating
from gateway.api.rebuilds import Rebuilds
from gateway.parts import Parts
from tidelog.v1.admin_pb2 import DESCRIPTOR
from tidelog.v1.admin_pb2_grpc import AdminServiceServicer

SERVICE: str = DESCRIPTOR.services_by_name["AdminService"].full_name


class AdminServicer(Operating, Rebuilds, AdminServiceServicer):
    """All rpcs, each in the file of its kind."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
