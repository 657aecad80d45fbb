"""placeholder"""
from pathlib import Path
from typing import Any
def read_dump(path: Path, folder: Path, number: int, topic: str) -> list[Any]:
    return []
