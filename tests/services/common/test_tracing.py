import os
import subprocess
import sys

import pytest

from services.common import tracing
from services.common.config import BadSetting

ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317"}

MISSING = """
import sys
from services.common import config, tracing
sys.modules["opentelemetry"] = None
try:
    tracing.configure("engine")
except config.BadSetting as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "mine"}, False),
        (ENDPOINT, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4317"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        (ENDPOINT | {"OTEL_TRACES_EXPORTER": "none"}, False),
        (ENDPOINT | {"OTEL_SDK_DISABLED": "true"}, False),
        (ENDPOINT | {"OTEL_SDK_DISABLED": "false"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
    ],
)
def test_spans_are_made_where_the_standard_variables_ask_for_them(environment, wanted):
    assert tracing.wanted(environment) is wanted


def test_another_exporter_is_none_of_ours():
    with pytest.raises(BadSetting, match="zipkin"):
        tracing.wanted({"OTEL_TRACES_EXPORTER": "zipkin"})


def test_what_is_asked_for_and_not_installed_is_named():
    done = subprocess.run(
        [sys.executable, "-c", MISSING], capture_output=True, text=True, check=True, env=os.environ | ENDPOINT
    )
    assert done.stdout == "OTEL_ variables ask for traces: install tidelog[otel]\n"
