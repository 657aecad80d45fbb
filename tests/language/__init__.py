"""The modelling language, as a specification: one file per noun, CPython only, nothing compiled."""
