// Bulk mode: segment files built directly, in several threads, durable at the end.

internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Loads all that `next` gives: durable and visible, all at once, when the call returns.
  ///
  /// One thread builds in the caller's; several take contiguous stretches of the input, whose segments
  /// join the index in the order of the input. Memory stays near the budget, which is shared by the
  /// threads. `progress` is called in the caller's thread and may stop the load by returning false;
  /// so may `isCancelled`, which any thread asks every few items. What was read until then is loaded, and
  /// the outcome tells it. A load that throws has not happened; so does one whose `next` throws. Nothing
  /// goes through the journal but new custom attributes, and at the end a record that gives the load its
  /// number.
  package func load(
    threads: Int, memoryBudget: Int, isCancelled: @escaping @Sendable () -> Bool = { false },
    next: () throws -> LoadBatch?, progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    try checkProcess()
    let budget = max(memoryBudget, 1 << 20)
    let files = LoadedFiles()
    var outcome: LoadOutcome
    do {
      outcome =
        threads <= 1
        ? try loadAlone(files, budget, isCancelled, next, progress)
        : try loadTogether(files, threads, budget, isCancelled, next, progress)
      outcome.isCancelled = isCancelled()
      if files.segments.isEmpty {
        try checkpoint()
        outcome.generation = root.snapshot.generation
      } else {
        outcome.generation = try join(files)
      }
    } catch {
      discard(files)
      throw error
    }
    mergeLoaded(isCancelled)
    return outcome
  }

  /// Merges what a load has left in too many files.
  ///
  /// What fails is given up: the load stands, and the background thread tries again with the next change.
  private func mergeLoaded(_ isCancelled: @escaping @Sendable () -> Bool) {
    do throws(IndexingError) {
      while !isCancelled(), try mergeFilesOnce(isCancelled: isCancelled) { try checkpoint() }
    } catch {
      background?.wake()
    }
  }

  private func loadAlone(
    _ files: LoadedFiles, _ budget: Int, _ isCancelled: @escaping @Sendable () -> Bool,
    _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let builder = RunBuilder(self, budget: budget, isCancelled: isCancelled)
    defer { files.addRemains(builder.takeSegments()) }
    while !isCancelled(), let batch = try next() {
      try builder.add(batch)
      try files.add(builder.takeSegments())
      if !progress(builder.outcome) { break }
    }
    try builder.flush()
    try files.add(builder.takeSegments())
    return builder.outcome
  }

  private func loadTogether(
    _ files: LoadedFiles, _ threads: Int, _ budget: Int,
    _ isCancelled: @escaping @Sendable () -> Bool,
    _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let queue = RunQueue(capacity: threads)
    var workers: [WorkerThread] = []
    defer {
      queue.close()
      for worker in workers { worker.join() }
      files.addRemains(queue.takeRemains())
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
        try collect(queue, files)
        isStopped = !progress(queue.outcome)
      }
    }
    if !run.isEmpty { queue.put(run) }
    queue.close()
    for worker in workers { worker.join() }
    workers = []
    try collect(queue, files)
    _ = progress(queue.outcome)
    return queue.sortedOutcome
  }

  private func collect(_ queue: RunQueue, _ files: LoadedFiles) throws(IndexingError) {
    if let failure = queue.failure { throw failure }
    try files.add(queue.takeFinished())
  }

  /// The work of a thread: run after run, until there are no more.
  private func work(
    _ queue: RunQueue, budget: Int, _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    while let (number, run) = queue.take() {
      let builder = RunBuilder(self, budget: budget, isCancelled: isCancelled)
      do throws(IndexingError) {
        for batch in run { try builder.add(batch) }
        try builder.flush()
        queue.finish(number, builder.takeSegments(), builder.takeOutcome())
      } catch {
        queue.fail(error, leaving: builder.takeSegments())
      }
    }
  }
}
