"""Recordings made again from the published classes of a released Kafka.

The questions are those of a committed recording; the real class of the release answers each of
them through the Java virtual machine beside us. Answers are written in the committed format, so
`conform` reads them. There is one module for each kind of file, as in `conformance` itself.
"""
