"""The graph of a kept run as tables: states, steps, levels and verdicts, which answer SQL."""
