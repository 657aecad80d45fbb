"""The compiler: a design's typed trees, straight to one LLVM module, to machine code."""
