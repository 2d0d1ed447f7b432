// Waiting for a change that another process or thread has made.

public import CLimelight
internal import Limelight

@_cdecl("lime_index_wait") @implementation
public func lime_index_wait(
  _ index: OpaquePointer?, _ generation: UInt64, _ milliseconds: UInt32,
  _ options: UnsafePointer<lime_work_options>?
) -> lime_status {
  change(index, IndexObject.self) {
    try $0.index.wait(
      for: generation, milliseconds: Int(milliseconds), cancellation: workCancellation(options))
  }
}
