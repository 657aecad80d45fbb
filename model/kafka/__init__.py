"""Kafka's mechanisms, one idea a module, written as plain functions of numbers and records.

Nothing here knows of a design: a function takes any record that has the fields it names
(`tierproof.model.kafka.fields`). Guards, effects and properties call these functions in both
executions, and each is compared with recorded behaviour of the real classes.
"""
