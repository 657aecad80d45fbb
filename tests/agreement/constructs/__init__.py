"""Constructs of the language, a function each, and the stage on which both executions play them.

What a function returns says what it is. A number (`-> int`) is written to `result`; a truth
(`-> bool`) is written too, and stands as guard, invariant and step property besides; nothing
(`-> None`) is an effect. Names that begin with an underscore are helpers and no constructs.
"""
