// What a merge may do beyond joining segments.

internal import LimelightIndexing

/// What ``Index/merge(into:options:cancellation:)`` does beyond joining segments, for an index that is
/// seldom written from then on.
///
/// Answers stay the same. Later changes make new segments of the usual form, and merges by policy copy what
/// they find.
public struct MergeOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Compresses stored items harder: text takes a fifth less, and is read no slower.
  ///
  /// Takes about 4 s of one core for 100 MB of text.
  public static let compact = MergeOptions(rawValue: 1)

  /// Gives items another order inside, in which those with the same words stand together.
  ///
  /// What finds items takes a twentieth less. Hits of the same score still follow their arrival, for which
  /// searches look at a few more. A merge that takes the segment up later brings the items back into
  /// their old order. Takes some 15 s of one core for 100,000 items of 2.5 KB, and 100 MB of memory.
  public static let reorder = MergeOptions(rawValue: 2)
}

extension MergeForm {
  init(_ options: MergeOptions) {
    self.init(isCompact: options.contains(.compact), isReordered: options.contains(.reorder))
  }
}
