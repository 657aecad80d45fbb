"""How the states of the designs are drawn along the axis of offsets, one module a kind of state."""
