"""Proposals against log starts that are not known, and against sizes that count twice."""

from tierproof.model.language import Variant

OF_OFFSETS: tuple[Variant, ...] = ()
