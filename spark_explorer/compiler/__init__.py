"""The compiler: turns a design's typed trees into one LLVM module, and that into machine code."""
