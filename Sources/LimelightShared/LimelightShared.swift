// The shared library: all of LimelightC, with the linker settings that the manifest gives this target.
@_exported import LimelightC
