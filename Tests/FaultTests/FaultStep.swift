// The fixed script of changes that is run again and again on a disk that fails somewhere in it.

import LimelightIndexing
import LimelightItems

/// One step of a script.
enum FaultStep {
  case put([Item])
  /// Loads in bulk, by so many threads; batches of two items.
  case load([Item], threads: Int = 1)
  /// A put that says when it is to be synced.
  case putWaiting([Item], ChangeSync)
  case delete([String])
  case deleteAll
  case checkpoint
  case merge(Int)
  /// The time is over that changes may wait for a sync in the background.
  case syncTime
  case flush
  /// Closes the index and opens it again.
  case reopen
  /// Lets the index go without closing it, as a crash does, and opens it again.
  case abandon

  /// What the step makes of the items of an index.
  func apply(to items: inout [String: Item]) {
    switch self {
    case .put(let batch), .putWaiting(let batch, _), .load(let batch, _):
      for item in batch { items[item.id] = item }
    case .delete(let ids): for id in ids { items[id] = nil }
    case .deleteAll: items = [:]
    case .checkpoint, .merge, .syncTime, .flush, .reopen, .abandon: break
    }
  }

  /// Whether everything that was acknowledged must be on disk after the step, if changes are synced so
  /// where they do not say otherwise.
  func makesDurable(_ usual: ChangeSync) -> Bool {
    switch self {
    case .put, .delete, .deleteAll: usual == .now
    case .putWaiting(_, let sync): sync == .now
    case .syncTime: usual == .soon
    case .load, .checkpoint, .merge, .flush, .reopen: true
    case .abandon: false
    }
  }

  /// Every kind of change, every kind of file, and the ways from one to the other.
  static let script: [FaultStep] = [
    .put([item("a", 1, thumbnail: 40), item("b", 1), item("c", 1, custom: "colour")]),
    .put([item("b", 2, thumbnail: 30), item("d", 2)]),
    .checkpoint,
    .put([item("a", 3), item("e", 3, custom: "size", thumbnail: 50)]),
    .delete(["c", "nobody"]),
    .checkpoint,
    .put([long("f"), item("g", 4), item("e", 4)]),
    .abandon,
    .delete(["d", "a"]),
    .checkpoint,
    .delete(["f"]),
    .put([item("h", 5, custom: "colour", thumbnail: 20)]),
    .merge(1),
    .reopen,
    .put([item("i", 6), item("h", 6, thumbnail: 25)]),
    .reopen,
    .deleteAll,
    .put([item("b", 7), item("j", 7, thumbnail: 10)]),
    .merge(1),
    .put([item("k", 8)]),
    .abandon,
    .put([item("b", 9)]),
  ]

  /// Changes that mostly do not wait, with all that makes them durable in between.
  static let waitingScript: [FaultStep] = [
    .put([item("a", 1, thumbnail: 40), item("b", 1), item("c", 1, custom: "colour")]),
    .put([item("b", 2, thumbnail: 30), item("d", 2)]),
    .syncTime,
    .put([item("a", 3), item("e", 3, custom: "size", thumbnail: 50)]),
    .delete(["c", "nobody"]),
    .put([long("f"), item("e", 4)]),
    .put([item("g", 4)]),
    .putWaiting([item("g", 5)], .now),
    .put([item("h", 5)]),
    .delete(["f"]),
    .abandon,
    .put([item("i", 6)]),
    .syncTime,
    .put([item("j", 6, custom: "shape"), item("b", 6)]),
    .put([item("j", 7, custom: "shape")]),
    .flush,
    .putWaiting([item("k", 7)], .later),
    .putWaiting([item("l", 7, thumbnail: 20)], .soon),
    .delete(["a", "b"]),
    .checkpoint,
    .put([item("m", 8)]),
    .deleteAll,
    .put([item("b", 8), item("j", 8, thumbnail: 10)]),
    .merge(1),
    .put([item("n", 9)]),
    .put([long("o")]),
    .put([item("n", 10)]),
    .reopen,
    .put([item("p", 10)]),
    .put([item("q", 10)]),
    .abandon,
    .put([item("b", 11)]),
  ]

  /// What is done to an index first after a crash.
  static let recovery: [FaultStep] = [
    .put([item("r", 1, thumbnail: 10)]), .checkpoint, .delete(["b"]), .reopen,
  ]

  static func item(
    _ id: String, _ version: Int, custom: String? = nil, thumbnail: Int = 0
  ) -> Item {
    var item = Item(id: id, domain: "mail.box\(version % 3)")
    item.attributes[.title] = .text("title \(id) version\(version)")
    item.attributes[.pageCount] = .number(Double(version))
    if let custom { item.attributes[Attribute(custom)] = .text("custom \(version)") }
    if thumbnail > 0 {
      item.thumbnail = (0..<thumbnail).map { UInt8(truncatingIfNeeded: $0 + version) }
    }
    return item
  }

  /// An item so long that the index makes a dictionary, of what costs no analysis.
  private static func long(_ id: String) -> Item {
    var item = item(id, 4)
    let path = String(repeating: "nothing to see here, ", count: 3300)
    item.attributes[.thumbnailURL] = .url("file:///" + path)
    return item
  }
}
