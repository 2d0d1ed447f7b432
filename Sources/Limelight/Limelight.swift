// Limelight's Swift API: an index of items in a folder or in memory, searched while the user types.

@_exported public import LimelightItems

// Re-exported by name, so that a client imports one module.
@_exported public import enum LimelightAnalysis.Analyzer
@_exported public import enum LimelightSearch.Query
@_exported public import enum LimelightSearch.RangeBound
@_exported public import enum LimelightSearch.RangeValue
@_exported public import enum LimelightSearch.TextUnit
@_exported public import struct LimelightSearch.Highlight
@_exported public import struct LimelightSearch.Weights
