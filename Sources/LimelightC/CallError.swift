// Why a call failed, and how errors of the Swift API become a status.

internal import CLimelight
internal import Limelight

/// An error with its status: one of this border's own, or one of the Swift API.
struct CallError: Error {
  let status: lime_status
  let message: String
  var file: String?
  var section: String?
  var offset: Int?
  var holder: Int32?

  init(_ status: lime_status, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: LimelightError) {
    status = error.code.status
    message = error.message
    file = error.file
    section = error.section
    offset = error.offset
    holder = error.holder
  }

  init(_ error: ItemError) {
    status = LIME_ERROR_ITEM
    message = error.description
  }

  static func argument(_ message: String) -> CallError { CallError(LIME_ERROR_ARGUMENT, message) }

  static func required(_ name: StaticString) -> CallError {
    CallError(LIME_ERROR_ARGUMENT, "\(name) is NULL")
  }

  static func unsupported(_ message: String) -> CallError {
    CallError(LIME_ERROR_UNSUPPORTED, message)
  }

  static func badHandle(_ handle: OpaquePointer?, _ kind: HandleKind) -> CallError {
    CallError(
      LIME_ERROR_HANDLE,
      handle == nil
        ? "the handle is NULL, not one of an open \(kind)"
        : "the handle is closed, of another type than \(kind), or none at all")
  }

  static var forked: CallError {
    CallError(LIME_ERROR_FORKED, "the handle was opened by the process that forked this one")
  }

  static var tooManyHandles: CallError {
    CallError(LIME_ERROR_LIMIT, "there are too many handles: 16,777,216 are open")
  }
}

extension LimelightError.Code {
  /// The one table from errors of the Swift API to statuses.
  var status: lime_status {
    switch self {
    case .closed: LIME_ERROR_CLOSED
    case .readOnly: LIME_ERROR_READ_ONLY
    case .notFound: LIME_ERROR_NOT_FOUND
    case .locked: LIME_ERROR_LOCKED
    case .damaged: LIME_ERROR_DAMAGED
    case .newerFormat: LIME_ERROR_NEWER
    case .olderFormat: LIME_ERROR_OLDER
    case .analyzerMismatch: LIME_ERROR_ANALYZER
    case .notStored: LIME_ERROR_NOT_STORED
    case .invalidArgument: LIME_ERROR_ARGUMENT
    case .invalidItem: LIME_ERROR_ITEM
    case .noSpace: LIME_ERROR_NO_SPACE
    case .io: LIME_ERROR_IO
    case .permission: LIME_ERROR_PERMISSION
    case .cancelled: LIME_ERROR_CANCELLED
    case .unsupported: LIME_ERROR_UNSUPPORTED
    case .poisoned: LIME_ERROR_POISONED
    case .forked: LIME_ERROR_FORKED
    case .timedOut: LIME_ERROR_TIMED_OUT
    }
  }
}

extension lime_status {
  /// The enumerator's name.
  var name: StaticString {
    switch self {
    case LIME_OK: "LIME_OK"
    case LIME_ERROR_LOCKED: "LIME_ERROR_LOCKED"
    case LIME_ERROR_ITEM: "LIME_ERROR_ITEM"
    case LIME_ERROR_NO_SPACE: "LIME_ERROR_NO_SPACE"
    case LIME_ERROR_UNSUPPORTED: "LIME_ERROR_UNSUPPORTED"
    case LIME_ERROR_QUERY: "LIME_ERROR_QUERY"
    case LIME_ERROR_CANCELLED: "LIME_ERROR_CANCELLED"
    case LIME_ERROR_HANDLE: "LIME_ERROR_HANDLE"
    case LIME_ERROR_ARGUMENT: "LIME_ERROR_ARGUMENT"
    case LIME_ERROR_TEXT: "LIME_ERROR_TEXT"
    case LIME_ERROR_CLOSED: "LIME_ERROR_CLOSED"
    case LIME_ERROR_READ_ONLY: "LIME_ERROR_READ_ONLY"
    case LIME_ERROR_NOT_FOUND: "LIME_ERROR_NOT_FOUND"
    case LIME_ERROR_KIND: "LIME_ERROR_KIND"
    case LIME_ERROR_DAMAGED: "LIME_ERROR_DAMAGED"
    case LIME_ERROR_NEWER: "LIME_ERROR_NEWER"
    case LIME_ERROR_OLDER: "LIME_ERROR_OLDER"
    case LIME_ERROR_ANALYZER: "LIME_ERROR_ANALYZER"
    case LIME_ERROR_NOT_STORED: "LIME_ERROR_NOT_STORED"
    case LIME_ERROR_IO: "LIME_ERROR_IO"
    case LIME_ERROR_PERMISSION: "LIME_ERROR_PERMISSION"
    case LIME_ERROR_POISONED: "LIME_ERROR_POISONED"
    case LIME_ERROR_FORKED: "LIME_ERROR_FORKED"
    case LIME_ERROR_LIMIT: "LIME_ERROR_LIMIT"
    case LIME_ERROR_TIMED_OUT: "LIME_ERROR_TIMED_OUT"
    default: "LIME_ERROR_UNKNOWN"
    }
  }
}
