// The C API: each function of `include/limelight.h`, checked against it by the compiler. Handles,
// arguments and errors are translated here; nothing is decided that the Swift API decides.
