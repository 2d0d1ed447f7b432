// The forms of a call: what every exported function is made of.

internal import CLimelight

typealias TextOut = UnsafeMutablePointer<UnsafePointer<CChar>?>
typealias HandleOut = UnsafeMutablePointer<OpaquePointer?>

/// Runs a call; an error becomes the thread's last error and a status.
@inline(__always)
func call(_ body: () throws -> Void) -> lime_status {
  do {
    try body()
    return LIME_OK
  } catch {
    return LastError.set(error)
  }
}

/// Runs a call on the object of a handle.
@inline(__always)
func with<Object: HandleObject, Result>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Result
) throws -> Result {
  try HandleTable.shared.with(handle, type, body)
}

/// A call that changes the object of a handle.
@inline(__always)
func change<Object: HandleObject>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Void
) -> lime_status {
  call { try with(handle, type, body) }
}

/// A call that ends a handle.
func end<Object: HandleObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> lime_status {
  call { try HandleTable.shared.close(handle, type) }
}

/// A call that makes an object and gives out a handle of it.
func make<Object: HandleObject>(_ out: HandleOut?, _ body: () throws -> Object) -> lime_status {
  out?.pointee = nil
  return call {
    guard let out else { throw CallError.required("the out-pointer for a handle") }
    out.pointee = try HandleTable.shared.open(body())
  }
}

/// A call that reads a number from the object of a handle.
@inline(__always)
func read<Object: HandleObject, Number: ExpressibleByIntegerLiteral>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ out: UnsafeMutablePointer<Number>?,
  _ body: (Object) throws -> Number
) -> lime_status {
  out?.pointee = 0
  return call {
    guard let out else { throw CallError.required("the out-pointer for a number") }
    out.pointee = try with(handle, type, body)
  }
}

/// A call that borrows bytes from the object of a handle.
@inline(__always)
func lend<Object: HandleObject>(
  _ handle: OpaquePointer?, _ type: Object.Type, _ out: TextOut?,
  _ length: UnsafeMutablePointer<Int>?, _ body: (Object) throws -> Lent?
) -> lime_status {
  out?.pointee = nil
  length?.pointee = 0
  return call {
    guard let out else { throw CallError.required("the out-pointer for a text") }
    guard let lent = try with(handle, type, body) else { return }
    out.pointee = lent.pointer
    length?.pointee = lent.count
  }
}
