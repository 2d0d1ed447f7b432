// WorkerThread: a thread of the engine, which its maker joins.
internal import Glibc

/// A thread that runs one closure.
///
/// All signals are blocked in it: they belong to the host. So is SIGBUS, unless maps are guarded: the
/// kernel ends a process that blocks the signal of its own fault. A worker that nobody joins is detached
/// when its last reference goes.
package final class WorkerThread: @unchecked Sendable {
  /// What the new thread takes over: its name and its work.
  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private let process = getpid()
  private let lock = Lock()
  /// Nil once it has been joined.
  private var thread: pthread_t?

  /// Starts a thread; the name, of which 15 bytes count, is what `ps` and debuggers show.
  package init(
    name: String, stackSize: Int = 1 << 20, body: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16))

    var everySignal = sigset_t()
    var signalsBefore = sigset_t()
    sigfillset(&everySignal)
    if BusGuard.isInstalled { sigdelset(&everySignal, SIGBUS) }
    pthread_sigmask(SIG_SETMASK, &everySignal, &signalsBefore)
    defer { pthread_sigmask(SIG_SETMASK, &signalsBefore, nil) }

    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var identifier = pthread_t()
    let code = pthread_create(
      &identifier, &attributes,
      { argument in
        if let argument {
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          WorkerThread.nameThisThread(start.name)
          start.body()
        }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw StorageError(code: code, "pthread_create", name)
    }
    thread = identifier
  }

  deinit {
    // In a forked child the thread does not exist, and its identifier means nothing.
    if let thread, process == getpid() { pthread_detach(thread) }
  }

  /// Waits until the thread has ended.
  ///
  /// Returns at once in a forked child, which has no such thread, and in the thread itself.
  package func join() {
    lock.withLock {
      guard let thread, process == getpid(), pthread_equal(thread, pthread_self()) == 0 else {
        return
      }
      pthread_join(thread, nil)
      self.thread = nil
    }
  }

  /// Names the calling thread: through `/proc`, since the C library's call is not in every header.
  private static func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
  }
}
