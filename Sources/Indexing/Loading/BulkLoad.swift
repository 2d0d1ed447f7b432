// Bulk mode: segment files built directly, in several threads, durable at the end.

internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Loads all that `next` gives: durable and visible, all at once, when the call returns.
  ///
  /// One thread builds in the caller's; several take contiguous stretches of the input, which stand in
  /// the segments in the order of the input. Memory stays near the budget, which is shared by the
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
    let run = RunBuilder(self, isJoined: false, isCancelled: isCancelled) {
      (builder) throws(IndexingError) in
      guard builder.memory >= budget || builder.isFull else { return }
      try self.flush(SegmentAssembly(builder), files)
    }
    while !isCancelled(), let batch = try next() {
      try run.add(batch)
      if !progress(run.outcome) { break }
    }
    try flush(SegmentAssembly(run.builder), files)
    return run.outcome
  }

  /// Writes what is in memory as a file behind those before.
  private func flush(_ items: SegmentAssembly, _ files: LoadedFiles) throws(IndexingError) {
    if let file = try writeSegment(items) { try files.add([file]) }
  }

  /// Threads analyse short runs of the input, each into memory of its own.
  ///
  /// What all of them hold becomes one segment, which they write together: so several threads make the
  /// files that one would make.
  private func loadTogether(
    _ files: LoadedFiles, _ threads: Int, _ budget: Int,
    _ isCancelled: @escaping @Sendable () -> Bool,
    _ next: () throws -> LoadBatch?, _ progress: (LoadOutcome) -> Bool
  ) throws -> LoadOutcome {
    let queue = RunQueue(threads: threads)
    let crew = LoadCrew(
      (0..<threads).map { _ in RunBuilder(self, isJoined: true, isCancelled: isCancelled) }, queue)
    try crew.start()
    defer { crew.stop() }
    let runBytes = min(max(budget / threads / 16, 16 << 10), 1 << 20)
    var run: [LoadBatch] = []
    var bytes = 0
    var isStopped = false
    while !isStopped, !isCancelled(), let batch = try next() {
      run.append(batch)
      bytes += batch.byteCount
      guard bytes >= runBytes else { continue }
      queue.put(run)
      run = []
      bytes = 0
      if let failure = queue.failure { throw failure }
      if queue.isFull(budget) { try flush(crew.takeItems(), files) }
      isStopped = !progress(queue.outcome)
    }
    if !run.isEmpty { queue.put(run) }
    try flush(crew.takeItems(), files)
    _ = progress(queue.outcome)
    return queue.sortedOutcome
  }
}

/// The threads of a load, with what each has in memory.
private final class LoadCrew: @unchecked Sendable {
  private let runs: [RunBuilder]
  private let queue: RunQueue
  private var workers: [WorkerThread] = []

  init(_ runs: [RunBuilder], _ queue: RunQueue) {
    self.runs = runs
    self.queue = queue
  }

  /// Starts the threads; when one cannot be started, none goes on.
  func start() throws(IndexingError) {
    do throws(StorageError) {
      for number in runs.indices {
        workers.append(
          try WorkerThread(name: "limelight-\(number)") { [self] in work(number) })
      }
    } catch {
      stop()
      throw .storage(error)
    }
  }

  /// Ends the threads; runs that wait are not worked on any more if one has failed.
  func stop() {
    queue.close()
    for worker in workers { worker.join() }
    workers = []
  }

  /// All that the threads have in memory once there is no run left; they wait until it is written.
  func takeItems() throws(IndexingError) -> SegmentAssembly {
    try queue.drain()
    return SegmentAssembly(
      runs.map(\.builder), queue.takeStretches(), threads: runs.count)
  }

  /// The work of a thread: run after run, until there are no more.
  private func work(_ number: Int) {
    let builder = runs[number].builder
    while let (place, batches) = queue.take() {
      let first = builder.documentCount
      do throws(IndexingError) {
        for batch in batches { try runs[number].add(batch) }
        queue.finish(
          place, BuiltStretch(builder: number, documents: first..<builder.documentCount),
          memory: builder.memory, isFull: builder.isFull, runs[number].takeOutcome())
      } catch {
        queue.fail(error)
      }
    }
  }
}
