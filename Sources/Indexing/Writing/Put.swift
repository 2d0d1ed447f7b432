// What callers hand in and get back when they change an index.

package import LimelightItems

/// An item of a batch that was not taken.
package struct RefusedItem: Sendable {
  /// Its place in the batch, from 0.
  package let position: Int
  package let id: String
  package let error: ItemError
}

/// The outcome of a change that is visible.
package struct ChangeOutcome: Sendable {
  /// The journal record that holds the change; the current one if there was nothing to do.
  package var generation: UInt64 = 0
  /// Whether that record is on disk.
  package var isDurable = false
  package var put = 0
  package var deleted = 0
  package var refused: [RefusedItem] = []
  /// The ids that were made for items without one, with their places in the batch.
  package var madeIDs: [(position: Int, id: String)] = []

  package init() {}
}

/// A batch of items, each checked by itself.
struct CheckedBatch {
  var items: [ResolvedItem] = []
  var refused: [RefusedItem] = []
  var madeIDs: [(position: Int, id: String)] = []
  /// The registry with the custom attributes that the items bring.
  var registry: AttributeRegistry

  /// Checks items against a registry; a bad one never costs the others.
  init(_ batch: [Item], registry: AttributeRegistry) {
    self.registry = registry
    items.reserveCapacity(batch.count)
    for (position, item) in batch.enumerated() {
      do throws(ItemError) {
        var resolved = try ItemValidator.validate(item, registry: &self.registry)
        if resolved.id.isEmpty {
          resolved.id = ItemID.make()
          madeIDs.append((position, resolved.id))
        }
        items.append(resolved)
      } catch {
        refused.append(RefusedItem(position: position, id: item.id, error: error))
      }
    }
  }
}
