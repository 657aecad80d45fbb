"""Constructs of the language, one function each, and the stage on which both executions run them.

The return type of a function says how it is used. A number (`-> int`) is written to `result`;
a bool (`-> bool`) is written, too, and also serves as guard, invariant and step property; a
function without a value (`-> None`) is an effect. Names that begin with an underscore are
helpers and no constructs.
"""
