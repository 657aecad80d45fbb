"""The mutation scores of the designs: a JSON file for each, beside this one.

A file says what was asked, so that it can be asked again:

    scopes, variants   where, and of which variant, mutants were explored
    sample, seed       so many mutants at random, null: all
    seconds            what a mutant could take in a scope
    mutants            how many there are in all
    recordings         whether Kafka's recorded behaviour judged them, too
    modules            module -> how many were killed, survived, ... of those that were judged
    killed             module -> the keys of the mutants that were killed
    survivors          a line for each mutant that nothing notices: where, and what it writes
"""

from tierproof.register.mutation.file import (
    FOLDER,
    Scores,
    path_of,
    scores_in,
    scores_of,
    text_of,
)

__all__ = ["FOLDER", "Scores", "path_of", "scores_in", "scores_of", "text_of"]
