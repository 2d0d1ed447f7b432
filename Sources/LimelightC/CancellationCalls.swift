// Cancellations, which end calls from outside.

public import CLimelight
internal import Limelight

/// A cancellation behind a handle.
final class CancellationObject: HandleObject {
  static let kind = HandleKind.cancellation
  let cancellation = Cancellation()
}

/// The cancellation of a handle; nil for NULL.
func cancellation(_ handle: OpaquePointer?) throws -> Cancellation? {
  try handle.map { try with($0, CancellationObject.self) { $0.cancellation } }
}

/// The cancellation that work is given; nil for none.
func workCancellation(_ pointer: UnsafePointer<lime_work_options>?) throws -> Cancellation? {
  try workOptions(pointer, flags: 0).cancellation
}

/// What work is given: the flags, none but `flags`, and the cancellation.
func workOptions(
  _ pointer: UnsafePointer<lime_work_options>?, flags known: UInt32
) throws -> (flags: UInt32, cancellation: Cancellation?) {
  let given = try options(pointer, none: lime_work_options())
  try checkFlags(given.flags, known: known)
  return (given.flags, try cancellation(given.cancellation))
}

@_cdecl("lime_cancellation_new") @implementation
public func lime_cancellation_new(
  _ cancellation: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(cancellation) { CancellationObject() }
}

@_cdecl("lime_cancellation_free") @implementation
public func lime_cancellation_free(_ cancellation: OpaquePointer?) -> lime_status {
  end(cancellation, CancellationObject.self)
}

@_cdecl("lime_cancellation_cancel") @implementation
public func lime_cancellation_cancel(_ cancellation: OpaquePointer?) -> lime_status {
  change(cancellation, CancellationObject.self) { $0.cancellation.cancel() }
}

@_cdecl("lime_cancellation_state") @implementation
public func lime_cancellation_state(
  _ cancellation: OpaquePointer?, _ cancelled: UnsafeMutablePointer<Int32>?
) -> lime_status {
  read(cancellation, CancellationObject.self, cancelled) { $0.cancellation.isCancelled ? 1 : 0 }
}
