"""Designs that calibrate the engine; none of them knows Kafka."""
