"""Spans for OpenTelemetry: a gateway's call, the engine's command, its append. Off, and not loaded, unless asked for.

The standard variables ask for them and say where they go: OTEL_EXPORTER_OTLP_ENDPOINT (or that of traces alone), or
OTEL_TRACES_EXPORTER=otlp for the exporter's default. OTEL_SDK_DISABLED and OTEL_TRACES_EXPORTER=none turn them off.
"""

import os
from collections.abc import Mapping
from typing import Any

from services.common import logs
from services.common.concerning import Concern
from services.common.config import BadSetting

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
EXPORTER = "OTEL_TRACES_EXPORTER"
DISABLED = "OTEL_SDK_DISABLED"


class _Tracing:
    tracer: Any = None


def wanted(environment: Mapping[str, str]) -> bool:
    """Raises BadSetting for an exporter that is none of ours."""
    exporter = environment.get(EXPORTER, "").strip()
    if environment.get(DISABLED, "").strip().lower() == "true" or exporter == "none":
        return False
    if exporter not in {"", "otlp"}:
        raise BadSetting(f"{EXPORTER} is `otlp` or `none`, not {exporter!r}")
    return bool(exporter) or any(environment.get(name) for name in ENDPOINTS)


def configure(role: str) -> None:
    """Spans go out from here on, if they are wanted; what is left of them goes out at the process's end."""
    if not wanted(os.environ):
        return
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise BadSetting("OTEL_ variables ask for traces: install tidelog[otel]") from error
    resource = Resource.create()
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": f"tidelog {role}"}))
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _Tracing.tracer = provider.get_tracer("tidelog")


def followed() -> bool:
    """Whether anybody follows what becomes of calls and commands, by lines of the log or by spans."""
    return _Tracing.tracer is not None or logs.debugging()


def begin(name: str, concern: Concern | None, kind: str = "INTERNAL", **attributes: str) -> Any:
    """A span below the concern's, which is the concern's from here on; None where there are none."""
    if _Tracing.tracer is None or concern is None:
        return None
    from opentelemetry.trace import SpanKind

    named = {f"tidelog.{key}": text for key, text in (concern.names() | attributes).items() if key != "trace"}
    span = _Tracing.tracer.start_span(name, context=_parent(concern), kind=SpanKind[kind], attributes=named)
    found = span.get_span_context()
    concern.traceparent = f"00-{found.trace_id:032x}-{found.span_id:016x}-{int(found.trace_flags):02x}"
    return span


def end(span: Any, outcome: str) -> None:
    if span is not None:
        span.set_attribute("tidelog.outcome", outcome)
        span.end()


def _parent(concern: Concern) -> Any:
    """The span that the traceparent names, if there is one; else the span begins a trace."""
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if not concern.traceparent:
        return Context()
    _, trace, span, flags = concern.traceparent.split("-")
    found = SpanContext(int(trace, 16), int(span, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16)))
    return set_span_in_context(NonRecordingSpan(found), Context())
