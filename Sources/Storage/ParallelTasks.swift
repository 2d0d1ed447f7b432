// ParallelTasks: numbered pieces of work, shared by the caller's thread and some more.
internal import Synchronization

/// Runs pieces of work that need nothing of each other in several threads.
package enum ParallelTasks {
  /// What the threads share.
  private final class Work: @unchecked Sendable {
    let count: Int
    let body: (Int) -> Void
    let next = Atomic<Int>(0)

    init(_ count: Int, _ body: @escaping (Int) -> Void) {
      self.count = count
      self.body = body
    }

    func run() {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        body(number)
      }
    }
  }

  /// Calls `body` with each number below `count`, and returns when all calls have returned.
  ///
  /// Pieces are begun in order, so that the longest should come first. The caller's thread is one of
  /// the `threads`; where no more can be started, fewer do the same work.
  package static func run(threads: Int, count: Int, _ body: (Int) -> Void) {
    guard threads > 1, count > 1 else {
      for number in 0..<count { body(number) }
      return
    }
    withoutActuallyEscaping(body) { body in
      let work = Work(count, body)
      var workers: [WorkerThread] = []
      for number in 1..<min(threads, count) {
        guard let worker = try? WorkerThread(name: "limelight-p\(number)", body: { work.run() })
        else { break }
        workers.append(worker)
      }
      work.run()
      for worker in workers { worker.join() }
    }
  }
}
