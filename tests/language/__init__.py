"""The modelling language, as a specification: one file a noun, CPython only, nothing compiled."""
