"""The page to walk a state space in, its JSON, and the tools for assistants."""
