// Lines into an index: batch by batch, or in bulk.

internal import Limelight

/// Puts all lines of a source into an index, and shows how far it has come.
struct Importer {
  let index: Index
  let source: LineSource
  let options: LineOptions

  /// Puts one batch after the other: each is found, and durable as the index's level has it, before the
  /// next one is read.
  func put() throws -> ImportReport {
    var report = ImportReport()
    let start = Moment.now
    var progress = ProgressBar("importing", total: source.totalBytes)
    defer { progress.clear() }
    while let batch = try source.next() {
      let receipt = try index.put(self.batch(batch))
      report.add(put: receipt.put, refused: receipt.refused)
      progress.update(items: report.put, bytes: source.bytesRead)
    }
    progress.show("writing the index")
    try index.close()
    finish(&report, start)
    return report
  }

  /// Builds segments out of all lines at once: found and durable at the end, and much faster.
  func load(threads: Int, memoryBudget: Int) throws -> ImportReport {
    var report = ImportReport()
    let start = Moment.now
    var progress = ProgressBar("importing", total: source.totalBytes)
    defer { progress.clear() }
    var failure: Failure?
    let loaded = try index.load(
      threads: threads, memoryBudget: memoryBudget,
      next: {
        progress.update(items: source.linesRead, bytes: source.bytesRead)
        do throws(Failure) {
          return try source.next().map(batch)
        } catch {
          failure = error
          return nil
        }
      })
    if let failure { throw failure }
    progress.show("writing the index")
    try index.close()
    report.add(put: loaded.put, refused: loaded.refused)
    finish(&report, start)
    return report
  }

  private func batch(_ lines: LineBatch) -> Batch {
    .lines(lines.bytes, firstLine: lines.firstLine, options: options)
  }

  private func finish(_ report: inout ImportReport, _ start: Moment) {
    report.add(oversizedLines: source.oversizedLines)
    report.bytes = source.bytesRead
    report.seconds = Double(start.nanosecondsAgo) / 1e9
  }
}
