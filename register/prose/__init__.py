"""What was found, in words: a mail, the review of a document as one mail, the page of a finding."""

from tierproof.register.prose.mail import mail_of, sent
from tierproof.register.prose.page import page_of
from tierproof.register.prose.review import review_of

__all__ = ["mail_of", "page_of", "review_of", "sent"]
