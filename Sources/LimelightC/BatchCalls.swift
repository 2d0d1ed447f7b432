// Batches: items that are put together.

public import CLimelight
internal import Limelight
internal import LimelightStorage

/// Items that wait to be put.
final class BatchObject: HandleObject {
  static let kind = HandleKind.batch
  private let lock = Lock()
  private var waiting: [Item] = []

  /// The items as they are now.
  var items: [Item] { lock.withLock { waiting } }

  func add(_ item: Item) { lock.withLock { waiting.append(item) } }

  func clear() { lock.withLock { waiting = [] } }
}

@_cdecl("lime_batch_new") @implementation
public func lime_batch_new(_ batch: UnsafeMutablePointer<OpaquePointer?>?) -> lime_status {
  make(batch) { BatchObject() }
}

@_cdecl("lime_batch_free") @implementation
public func lime_batch_free(_ batch: OpaquePointer?) -> lime_status {
  end(batch, BatchObject.self)
}

@_cdecl("lime_batch_add") @implementation
public func lime_batch_add(_ batch: OpaquePointer?, _ item: OpaquePointer?) -> lime_status {
  change(batch, BatchObject.self) { batch in
    batch.add(try with(item, ItemObject.self) { $0.current })
  }
}

@_cdecl("lime_batch_count") @implementation
public func lime_batch_count(
  _ batch: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  read(batch, BatchObject.self, count) { $0.items.count }
}

@_cdecl("lime_batch_clear") @implementation
public func lime_batch_clear(_ batch: OpaquePointer?) -> lime_status {
  change(batch, BatchObject.self) { $0.clear() }
}
