"""redis-py, loaded without the metrics of OpenTelemetry that it would bring along where that is installed."""

from services.common.hidden import hidden

with hidden("opentelemetry"):
    import redis.asyncio

__all__ = ["redis"]
