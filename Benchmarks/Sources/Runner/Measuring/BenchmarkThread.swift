// Threads that measure, each with a body to run.

internal import Glibc
internal import Synchronization

/// A thread that runs a body once.
final class BenchmarkThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let handle: pthread_t

  /// Starts the thread.
  init(_ run: @escaping @Sendable () -> Void) throws {
    var handle = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &handle, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw BenchmarkError("cannot start a thread: \(String(cString: strerror(code)))")
    }
    self.handle = handle
  }

  /// Waits for its end; once.
  func join() { pthread_join(handle, nil) }

  /// Runs a body in so many threads, with the thread's number, and gives what each returned, in order.
  ///
  /// One is the caller's own. The first error of a body is thrown when all have ended.
  static func together<R: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> R
  ) throws -> [R] {
    guard count > 1 else { return [try body(0)] }
    let outcomes = Outcomes<R>()
    var threads: [BenchmarkThread] = []
    defer { for thread in threads { thread.join() } }
    for number in 0..<count {
      threads.append(
        try BenchmarkThread {
          outcomes.set(number, Result { try body(number) })
        })
    }
    for thread in threads { thread.join() }
    threads = []
    return try outcomes.all(count)
  }

  /// What the threads returned so far.
  private final class Outcomes<R: Sendable>: Sendable {
    private let byNumber = Mutex<[Int: Result<R, any Error>]>([:])

    func set(_ number: Int, _ outcome: Result<R, any Error>) {
      byNumber.withLock { $0[number] = outcome }
    }

    func all(_ count: Int) throws -> [R] {
      try byNumber.withLock { byNumber in
        try (0..<count).map { number in
          guard let outcome = byNumber[number] else {
            throw BenchmarkError("thread \(number) ended without a result")
          }
          return try outcome.get()
        }
      }
    }
  }
}
