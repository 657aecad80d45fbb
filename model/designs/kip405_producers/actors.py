"""Who acts besides the actors of KIP-405."""

from tierproof.model.language import Actor

CLIENT = Actor("producer {producer}")
"""A client with an idempotent producer; `epoch` is that of its present instance."""
COORDINATOR = Actor("transaction coordinator")
