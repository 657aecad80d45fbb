"""A page to walk a state space in, the same as JSON, and as tools for agents.

`serve` stands above the search, the drawings and the register. A position is a link: nothing is
remembered between two requests, and nothing is written.
"""
