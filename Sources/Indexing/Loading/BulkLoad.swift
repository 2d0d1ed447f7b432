// Bulk mode: segment files built directly, in several threads, durable at the end.

internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Loads all that `next` gives; visible file by file, durable when the call returns.
  ///
  /// One thread builds in the caller's; several take contiguous stretches of the input, whose segments
  /// join the index in the order of the input. Memory stays near the budget, which is shared by the
  /// threads. `progress` is called in the caller's thread and may stop the load by returning false;
  /// what was loaded until then stays. Nothing goes through the journal but new custom attributes.
  package func load(
    threads: Int, memoryBudget: Int, next: () throws -> LoadBatch?,
    progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let outcome =
      threads <= 1
      ? try loadAlone(max(memoryBudget, 1 << 20), next, progress)
      : try loadTogether(threads, max(memoryBudget, 1 << 20), next, progress)
    while try mergeFilesOnce() {}
    try checkpoint()
    return outcome
  }

  private func loadAlone(
    _ budget: Int, _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let builder = RunBuilder(self, budget: budget)
    while let batch = try next() {
      try builder.add(batch)
      try append(builder.takeSegments())
      if !progress(builder.outcome) { break }
    }
    try builder.flush()
    try append(builder.takeSegments())
    return builder.outcome
  }

  /// Makes files part of the state, in order.
  func append(_ segments: [LoadedSegment]) throws(IndexingError) {
    guard !segments.isEmpty else { return }
    try lock.withLock { () throws(IndexingError) in
      try check()
      for loaded in segments { try state.append(file: loaded.segment, ids: loaded.ids) }
      publish()
    }
  }

  private func loadTogether(
    _ threads: Int, _ budget: Int, _ next: () throws -> LoadBatch?,
    _ progress: (LoadOutcome) -> Bool
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
          work(queue, budget: budget / threads)
        })
    }
    // A run's text, its inverted form and its segment are in memory at once.
    let runBytes = max(budget / threads / 4, 256 << 10)
    var run: [LoadBatch] = []
    var bytes = 0
    var isStopped = false
    while !isStopped, let batch = try next() {
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
    return queue.outcome
  }

  private func collect(_ queue: RunQueue) throws(IndexingError) {
    if let failure = queue.failure { throw failure }
    try append(queue.takeFinished())
  }

  /// The work of a thread: run after run, until there are no more.
  private func work(_ queue: RunQueue, budget: Int) {
    while let (number, run) = queue.take() {
      do throws(IndexingError) {
        let builder = RunBuilder(self, budget: budget)
        for batch in run { try builder.add(batch) }
        try builder.flush()
        queue.finish(number, builder.takeSegments(), builder.takeOutcome())
      } catch {
        queue.fail(error)
      }
    }
  }
}
