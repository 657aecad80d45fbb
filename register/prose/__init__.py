"""What was found, in words: the page of a finding, its mail, the review of a document."""

from tierproof.register.prose.finding import (
    finding_as_mail,
    finding_as_markdown,
    finding_as_svg,
    finding_offsets,
    review_as_mail,
)
from tierproof.register.prose.mail import Aside, Mail, read_mail
from tierproof.register.prose.review import Point, Search, points_of

__all__ = [
    "Aside",
    "Mail",
    "Point",
    "Search",
    "finding_as_mail",
    "finding_as_markdown",
    "finding_as_svg",
    "finding_offsets",
    "points_of",
    "read_mail",
    "review_as_mail",
]
