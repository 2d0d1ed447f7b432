// What a change gives back.

/// An item, or a line of a text, that was not taken; the others were.
public struct Refusal: Hashable, Sendable {
  /// The item's place in the batch, from 0; for lines see ``line``.
  public let position: Int
  /// The number of the line in the input, from 1, if the batch was text.
  public let line: Int?
  /// The item's id, if it has one and it was read.
  public let id: String?
  /// Why.
  public let error: ItemError
}

/// Says that a change is visible to every search that starts from now on, in this process and in readers
/// elsewhere, and whether it is durable.
public struct Receipt: Sendable {
  /// The number of the change: later ones have higher numbers.
  public let generation: UInt64
  /// Whether the change was on disk when the call returned: always with ``Durability/full``.
  ///
  /// One that was not is once ``Index/durableGeneration()`` has reached its number.
  public let isDurable: Bool
  /// How many items were put.
  public let put: Int
  /// How many items were deleted; items replaced by a put do not count.
  public let deleted: Int
  /// The ids that were made for items without one, with the items' places in the batch.
  public let madeIDs: [(position: Int, id: String)]
  /// The items that were not taken, each with its reason.
  public let refused: [Refusal]
}
