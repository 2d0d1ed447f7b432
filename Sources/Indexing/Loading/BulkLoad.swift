// Bulk mode: segment files built directly, in several threads, durable at the end.

internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Loads all that `next` gives; visible file by file, durable when the call returns.
  ///
  /// One thread builds in the caller's; several take contiguous stretches of the input, whose segments
  /// join the index in the order of the input. Memory stays near the budget, which is shared by the
  /// threads. `progress` is called in the caller's thread and may stop the load by returning false;
  /// so may `isCancelled`, which any thread asks every few items. What was read until then stays, and
  /// the outcome tells it. Nothing goes through the journal but new custom attributes, and at the end
  /// a record that gives the load its number.
  package func load(
    threads: Int, memoryBudget: Int, isCancelled: @escaping @Sendable () -> Bool = { false },
    next: () throws -> LoadBatch?, progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let budget = max(memoryBudget, 1 << 20)
    var outcome =
      threads <= 1
      ? try loadAlone(budget, isCancelled, next, progress)
      : try loadTogether(threads, budget, isCancelled, next, progress)
    outcome.isCancelled = isCancelled()
    while !isCancelled(), try mergeFilesOnce(isCancelled: isCancelled) {}
    let numbered = outcome.put > 0 ? try commit([]) : nil
    outcome.generation = numbered?.generation ?? root.snapshot.generation
    try checkpoint()
    return outcome
  }

  private func loadAlone(
    _ budget: Int, _ isCancelled: @escaping @Sendable () -> Bool,
    _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let builder = RunBuilder(self, budget: budget, isCancelled: isCancelled)
    while !isCancelled(), let batch = try next() {
      try builder.add(batch)
      try append(builder.takeSegments())
      if !progress(builder.outcome) { break }
    }
    try builder.flush()
    try append(builder.takeSegments())
    return builder.outcome
  }

  /// Makes files part of the state, in order.
  func append(_ segments: [LiveSegment]) throws(IndexingError) {
    guard !segments.isEmpty else { return }
    try lock.withLock { () throws(IndexingError) in
      try check()
      for segment in segments { try state.append(file: segment) }
      publish()
    }
  }

  private func loadTogether(
    _ threads: Int, _ budget: Int, _ isCancelled: @escaping @Sendable () -> Bool,
    _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let queue = RunQueue(capacity: threads)
    var workers: [WorkerThread] = []
    defer {
      queue.close()
      for worker in workers { worker.join() }
    }
    for number in 0..<threads {
      workers.append(
        try WorkerThread(name: "limelight-\(number)") { [self] in
          work(queue, budget: budget / threads, isCancelled)
        })
    }
    // A run's text, its inverted form and its segment are in memory at once.
    let runBytes = max(budget / threads / 4, 256 << 10)
    var run: [LoadBatch] = []
    var bytes = 0
    var isStopped = false
    while !isStopped, !isCancelled(), let batch = try next() {
      run.append(batch)
      bytes += batch.byteCount
      if bytes >= runBytes {
        queue.put(run)
        run = []
        bytes = 0
        try collect(queue)
        isStopped = !progress(queue.outcome)
      }
    }
    if !run.isEmpty { queue.put(run) }
    queue.close()
    for worker in workers { worker.join() }
    workers = []
    try collect(queue)
    _ = progress(queue.outcome)
    return queue.sortedOutcome
  }

  private func collect(_ queue: RunQueue) throws(IndexingError) {
    if let failure = queue.failure { throw failure }
    try append(queue.takeFinished())
  }

  /// The work of a thread: run after run, until there are no more.
  private func work(
    _ queue: RunQueue, budget: Int, _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    while let (number, run) = queue.take() {
      do throws(IndexingError) {
        let builder = RunBuilder(self, budget: budget, isCancelled: isCancelled)
        for batch in run { try builder.add(batch) }
        try builder.flush()
        queue.finish(number, builder.takeSegments(), builder.takeOutcome())
      } catch {
        queue.fail(error)
      }
    }
  }
}
