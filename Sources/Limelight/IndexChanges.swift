// Puts, deletes, commits and merges.

internal import LimelightIndexing
internal import LimelightSearch
internal import LimelightSnapshots
internal import LimelightStorage

extension Index {
  /// Adds items, each replacing the one of its id; one without an id gets a UUID.
  ///
  /// A bad item is refused by itself and told in the receipt, the others are taken together. Costs one
  /// sync of the disk, shared by all who put at the same time, unless `durability`, here or of the index,
  /// says that it need not wait.
  @discardableResult
  public func put(
    _ items: [Item], durability: Durability? = nil
  ) throws(LimelightError) -> Receipt {
    let writer = try writer()
    let outcome = try publicly { try writer.put(items, sync: durability.map(ChangeSync.init)) }
    return Receipt(
      outcome,
      refused: outcome.refused.map {
        Refusal(
          position: $0.position, line: nil, id: $0.id.isEmpty ? nil : $0.id, error: $0.error)
      })
  }

  /// Adds items that come as values or as lines of text.
  ///
  /// A line that is no item is refused by itself, with its number.
  @discardableResult
  public func put(
    _ batch: Batch, durability: Durability? = nil
  ) throws(LimelightError) -> Receipt {
    switch batch {
    case .items(let items): return try put(items, durability: durability)
    case .lines(let bytes, let firstLine, let options):
      let writer = try writer()
      let lines = ItemLines(
        bytes, firstLine: firstLine, options: options,
        registry: writer.root.snapshot.registry)
      let outcome = try publicly {
        try writer.put(lines.items, sync: durability.map(ChangeSync.init))
      }
      // The writer counts items; the batch is lines, of which some were no items.
      let refused = outcome.refused.map {
        let line = lines.lineNumbers[$0.position]
        return Refusal(
          position: line - firstLine, line: line, id: $0.id.isEmpty ? nil : $0.id, error: $0.error)
      }
      return Receipt(
        generation: outcome.generation, isDurable: outcome.isDurable, put: outcome.put,
        deleted: outcome.deleted,
        madeIDs: outcome.madeIDs.map {
          (position: lines.lineNumbers[$0.position] - firstLine, id: $0.id)
        },
        refused: (lines.refused + refused).sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }
  }

  /// Deletes items by id; ids that are not there are passed over.
  @discardableResult
  public func delete(
    ids: [String], durability: Durability? = nil
  ) throws(LimelightError) -> Receipt {
    let writer = try writer()
    return Receipt(
      try publicly { try writer.delete(ids: ids, sync: durability.map(ChangeSync.init)) })
  }

  /// Deletes all items of a domain and of those below it: `mail` takes `mail.inbox`, not `mailing`.
  @discardableResult
  public func delete(
    domain: String, durability: Durability? = nil
  ) throws(LimelightError) -> Receipt {
    try DomainName.check(domain)
    return try delete(matching: .domain(domain), durability: durability)
  }

  /// Deletes all items that match a query.
  ///
  /// A cancellation ends it while the items are looked for; then none is deleted.
  @discardableResult
  public func delete(
    matching query: Query, cancellation: Cancellation? = nil, durability: Durability? = nil
  ) throws(LimelightError) -> Receipt {
    let writer = try writer()
    let outcome = try publicly {
      try writer.delete(sync: durability.map(ChangeSync.init)) { root in
        try reading(root) {
          try MatchingItems(
            root, query, includesExpired: true, cancellation: cancellation?.flag
          ).ids()
        }
      }
    }
    return Receipt(outcome)
  }

  /// Deletes everything.
  @discardableResult
  public func deleteAll(durability: Durability? = nil) throws(LimelightError) -> Receipt {
    let writer = try writer()
    return Receipt(try publicly { try writer.deleteAll(sync: durability.map(ChangeSync.init)) })
  }

  /// Fixes kind and search class of a custom attribute; the first value fixes them otherwise.
  public func declare(_ attribute: CustomAttribute) throws(LimelightError) {
    let writer = try writer()
    let refusal = try publicly {
      try writer.declare(
        attribute.name, kind: attribute.kind, searchClass: attribute.searchClass)
    }
    if let refusal { throw LimelightError(.invalidItem, refusal.description) }
  }

  /// Writes what is only in the journal to segment files.
  ///
  /// Makes all changes durable, for which ``flush()`` is enough, and the next opening faster.
  public func commit() throws(LimelightError) {
    let writer = try writer()
    try publicly { try writer.checkpoint() }
  }

  /// Merges until at most so many segments are left; with 1, nothing of deleted items remains.
  ///
  /// Takes time and disk space in proportion to the index. Searches and puts go on meanwhile. A
  /// cancellation ends it, and the segments stay as they were.
  ///
  /// With any of `options` all segments that are there become one, which is written anew even if it is the
  /// only one; `segments` is then 1, or the call throws ``LimelightError/Code/invalidArgument``.
  public func merge(
    into segments: Int = 1, options: MergeOptions = [], cancellation: Cancellation? = nil
  ) throws(LimelightError) {
    guard segments >= 1 else {
      throw LimelightError(.invalidArgument, "an index has at least one segment")
    }
    guard segments == 1 || options.isEmpty else {
      throw LimelightError(
        .invalidArgument, "a merge with options makes one segment, not \(segments)")
    }
    let writer = try writer()
    try publicly {
      try writer.merge(into: segments, form: MergeForm(options)) {
        cancellation?.isCancelled ?? false
      }
    }
  }
}

extension Receipt {
  init(_ outcome: ChangeOutcome, refused: [Refusal] = []) {
    self.init(
      generation: outcome.generation, isDurable: outcome.isDurable, put: outcome.put,
      deleted: outcome.deleted, madeIDs: outcome.madeIDs, refused: refused)
  }
}

/// The check of a domain that is asked for.
enum DomainName {
  static func check(_ domain: String) throws(LimelightError) {
    do throws(ItemError) {
      try DomainKey.validate(domain)
    } catch {
      throw LimelightError(.invalidArgument, error.description)
    }
  }
}
