// BusGuard: bytes that go from under a map are noticed, and do not end the process.
internal import CBusGuard
internal import Glibc
internal import Synchronization

/// The process's handler of SIGBUS, which is there once a folder was opened with guarded maps.
///
/// It puts a page of zeros where bytes of a guarded map are missing and sets the map's flag; readers
/// look at the flag before they give an answer. All other bus errors go to the handler that was there
/// before. It stays to the end of the process: a handler that the host has installed in front of it
/// may call it at any time. Threads: any; a thread that blocks SIGBUS is not guarded.
enum BusGuard {
  /// 0, or the error number of an installation that failed.
  private static let installation: Int32 = {
    let code = busguard_install()
    isThere.store(code == 0, ordering: .relaxed)
    return code
  }()

  private static let isThere = Atomic<Bool>(false)

  /// Installs the handler, the first time.
  static func install(for path: String) throws(StorageError) {
    let code = installation
    if code != 0 { throw StorageError(code: code, "sigaction", path) }
  }

  /// Whether the handler is installed: threads that are started then must not block the signal.
  static var isInstalled: Bool { isThere.load(ordering: .relaxed) }
}

/// What a mapped file has lost since it was mapped.
package struct MapLoss: Sendable {
  /// Where the first bytes are missing.
  package let offset: Int
  package let message: String
}

/// A map that the handler knows, with its file.
///
/// The file stays open: the bytes behind its end in its last page are zeros without a fault, and only
/// its size tells.
final class GuardedMap: Sendable {
  private let place: Int32
  private let count: Int
  private let file: Descriptor

  /// Registers a map of a file; nil when the table is full.
  init?(_ base: UnsafeRawPointer, count: Int, of file: Descriptor) {
    place = busguard_add(base, count)
    self.count = count
    self.file = file
    if place < 0 { return nil }
  }

  /// Strikes the map out; called before it goes.
  func end() { busguard_remove(place) }

  /// What is missing, once anything is: a map that has lost bytes stays so.
  ///
  /// Costs a look at the size of the file.
  var loss: MapLoss? {
    let size = (try? file.size()) ?? 0
    if size < count { busguard_set_lost(place, size) }
    let offset = busguard_lost(place)
    guard offset >= 0 else { return nil }
    let message =
      size < count
      ? "the file was cut short from \(count) bytes to \(size)"
      : "bytes of the mapped file could not be read"
    return MapLoss(offset: min(offset, count), message: message)
  }
}
