"""Write the digests of documents: run by hand, when a document is new or has changed.

python -m tierproof.register.documents DOCUMENT.txt...
"""

import sys
from pathlib import Path

from tierproof.register.documents import FOLDER
from tierproof.register.passages import digests_of

if __name__ == "__main__":
    for argument in sys.argv[1:]:
        document = Path(argument)
        digests = digests_of(document.read_text("utf-8"))
        (FOLDER / f"{document.stem}.txt").write_text("".join(f"{one}\n" for one in digests))
