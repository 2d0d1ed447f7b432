// Limelight's Swift API: an index of items in a folder or in memory, searched while the user types.

// Whole modules, so that a client imports one: names alone would leave out the operators of Query.
@_exported public import LimelightAnalysis
@_exported public import LimelightItems
@_exported public import LimelightSearch
