"""What goes wrong between a scenario and the brokers."""

from tierproof.model.language.errors import Misused, TierproofError


class CannotRun(TierproofError):
    """Brokers cannot be run here: something is missing."""


class NoSuchRelease(CannotRun, Misused):
    """What is named is no release of Kafka whose brokers can be run."""


class NotSeen(TierproofError):
    """Brokers did not come to show what was awaited, in the time that it was given."""


class Ended(TierproofError):
    """The run is being given up: nothing may be started or awaited any more."""


class Refused(TierproofError):
    """A broker refused a request; `code` is the name of Kafka's exception."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
