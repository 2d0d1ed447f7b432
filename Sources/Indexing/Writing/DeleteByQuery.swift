// Deletes what a query finds, without losing what is put meanwhile.

internal import LimelightSnapshots
internal import LimelightStorage

extension IndexWriter {
  /// Deletes the items that `resolve` finds, as one change.
  ///
  /// The ids are found without a lock, and deleted only if the index is still the one in which they were
  /// found: an item that was put anew in between may no longer be meant. If it is not, they are found
  /// again; after a few attempts with the lock, while other changes wait. What `resolve` throws comes out,
  /// and nothing is deleted then.
  package func delete(
    sync: ChangeSync? = nil, resolving resolve: (IndexRoot) throws -> [String]
  ) throws -> ChangeOutcome {
    try checkProcess()
    for _ in 0..<3 {
      let base = root
      let ids = try resolve(base)
      guard !ids.isEmpty else {
        var outcome = ChangeOutcome()
        try settleNothing(&outcome, base, sync)
        return outcome
      }
      try probe(ids)
      let done = try commit([.delete(ids: ids)], sync: sync) {
        pending.isEmpty && root === base
      }
      if let done { return done }
    }
    let sync = sync ?? usualSync
    try prepare(sync)
    let appended = try lock.withLock {
      try check()
      // What is in the journal already comes first.
      if let last = pending.last?.sequence {
        try indexing { try index.sync(through: last) }
        try applyPending(through: last)
      }
      let ids = try resolve(root)
      let operations: [JournalOperation] = [.delete(ids: ids)]
      let appended = try append(try indexing { try EncodedRecord(operations) }, operations)
      try applyAtOnce(appended, sync)
      return appended
    }
    return try finish(appended, sync)
  }
}
