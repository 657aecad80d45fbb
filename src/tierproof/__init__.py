"""tierproof checks designs of Kafka tiered storage, and any design that is written as they are.

`from tierproof import State, action, ...` is the public face: every noun of the modelling
language (`tierproof.model.language`), imported when it is first asked for.
The rooms beside this file are links to the folders at the top of the repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tierproof.model.language import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """A noun of the language; the command line starts without loading it."""
    from tierproof.model import language

    if name == "__all__" or name in language.__all__:
        return getattr(language, name)
    raise AttributeError(f"module 'tierproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The nouns of the language."""
    from tierproof.model import language

    return list(language.__all__)
