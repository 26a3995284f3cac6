"""What every service shares: refusals, the codec, configuration, logging, metrics, start and drain."""
