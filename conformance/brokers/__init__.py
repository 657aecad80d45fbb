"""Counterexamples played on released Kafka brokers.

A scenario is the stored trace of a finding. What a user, an operator or a fault does in it is done
to real brokers; what brokers do by themselves is awaited. Then the brokers are asked what the
broken property speaks of.
"""
