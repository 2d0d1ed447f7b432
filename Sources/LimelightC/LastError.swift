// The last error of each thread.

internal import CLimelight
internal import Glibc
internal import Limelight
internal import LimelightItems

/// What the last call of a thread that failed left behind.
final class LastError {
  private let error: CallError
  private let lender = Lender()
  private var text: Lent?
  private var details: Lent?

  private init(_ error: CallError) { self.error = error }

  /// Remembers an error for this thread and gives its status.
  static func set(_ error: any Error) -> lime_status {
    let known =
      switch error {
      case let error as CallError: error
      case let error as LimelightError: CallError(error)
      case let error as ItemError: CallError(error)
      default: CallError(LIME_ERROR_UNKNOWN, "\(error)")
      }
    if let before = pthread_getspecific(key) {
      Unmanaged<LastError>.fromOpaque(before).release()
    }
    pthread_setspecific(key, Unmanaged.passRetained(LastError(known)).toOpaque())
    return known.status
  }

  private static var current: LastError? {
    pthread_getspecific(key).map { Unmanaged<LastError>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The message of this thread's last error.
  static var message: UnsafePointer<CChar> {
    guard let current else { return chars("") }
    let text = current.text ?? current.lender.lend(current.error.message)
    current.text = text
    return text.pointer
  }

  /// All that is known about this thread's last error, as JSON.
  static var json: UnsafePointer<CChar> {
    guard let current else { return chars("{}") }
    let details = current.details ?? current.lender.lend(current.error.json)
    current.details = details
    return details.pointer
  }

  /// The characters of a literal, which end with a NUL.
  static func chars(_ literal: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// The threads' place for it; a thread that ends lets go of its error.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { value in
      if let value { Unmanaged<LastError>.fromOpaque(value).release() }
    }
    return key
  }()
}

extension CallError {
  fileprivate var json: [UInt8] {
    var json = JSONText()
    json.object { json in
      json.member("status") { $0.number(Int(status.rawValue)) }
      json.member("name") { $0.text("\(status.name)") }
      json.member("message") { $0.text(message) }
      if let file { json.member("file") { $0.text(file) } }
      if let section { json.member("section") { $0.text(section) } }
      if let offset { json.member("offset") { $0.number(offset) } }
      if let holder { json.member("holder") { $0.number(Int(holder)) } }
    }
    return json.bytes
  }
}
