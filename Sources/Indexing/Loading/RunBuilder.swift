// Takes stretches of the input into memory: parse, check, analyse.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Turns batches into what a segment is made of, in memory.
///
/// For one thread at a time.
final class RunBuilder {
  private let writer: IndexWriter
  let builder: SegmentBuilder
  private let isCancelled: () -> Bool
  private var registry: AttributeRegistry
  private var lineParser: (options: JSONOptions, parser: ItemLineParser)?
  private(set) var outcome = LoadOutcome()
  /// Called when an item was added.
  private let added: (SegmentBuilder) throws(IndexingError) -> Void

  /// Asked about the cancellation once in so many items or lines.
  private static let cancellationStride = 64

  /// A builder that reads no further when `isCancelled` says so: what was read until then is kept.
  ///
  /// What it holds is written by itself, which `added` may do, or `isJoined` with that of others.
  init(
    _ writer: IndexWriter, isJoined: Bool, isCancelled: @escaping () -> Bool,
    added: @escaping (SegmentBuilder) throws(IndexingError) -> Void = { _ in }
  ) {
    self.writer = writer
    self.isCancelled = isCancelled
    self.added = added
    builder = SegmentBuilder(
      analyzer: writer.analyzer, storesItems: writer.options.storesItems, isJoined: isJoined)
    registry = writer.admittedRegistry
  }

  /// What was read since the last call.
  func takeOutcome() -> LoadOutcome {
    defer { outcome = LoadOutcome() }
    return outcome
  }

  /// Adds a batch.
  func add(_ batch: LoadBatch) throws(IndexingError) {
    switch batch {
    case .items(let items, let first):
      for (number, item) in items.enumerated() {
        guard !endsHere(number) else { return }
        outcome.read += 1
        outcome.bytes += LoadBatch.itemBytes
        try add(item, position: first + number, line: nil)
      }
    case .lines(let bytes, let firstLine, let firstPosition, let options):
      try add(lines: bytes, firstLine, firstPosition, options)
    }
  }

  private func endsHere(_ number: Int) -> Bool {
    number % Self.cancellationStride == 0 && isCancelled()
  }

  private func add(
    lines bytes: [UInt8], _ firstLine: Int, _ firstPosition: Int, _ options: JSONOptions
  ) throws(IndexingError) {
    let parser = parser(for: options)
    var start = 0
    var number = 0
    while start < bytes.count, !endsHere(number) {
      let end = bytes.withUnsafeBufferPointer { Self.lineEnd($0, start) }
      switch Self.parse(bytes, start..<end, parser) {
      case nil: break
      case .success(let item):
        outcome.read += 1
        try add(item, position: firstPosition + number, line: firstLine + number)
      case .failure(let error):
        outcome.read += 1
        let id = bytes.withUnsafeBytes { parser.id(of: .init(rebasing: $0[start..<end])) }
        outcome.refused.append(
          RefusedLine(
            position: firstPosition + number, line: firstLine + number, id: id, error: error))
      }
      number += 1
      outcome.bytes += min(end + 1, bytes.count) - start
      start = end + 1
    }
  }

  /// The item of a line; nil if the line is blank.
  private static func parse(
    _ bytes: [UInt8], _ range: Range<Int>, _ parser: ItemLineParser
  ) -> Result<Item, ItemError>? {
    let isBlank = bytes[range].allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
    if isBlank { return nil }
    return bytes.withUnsafeBytes { bytes in
      do throws(ItemError) {
        return .success(try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[range])))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The parser of the options that came last: it is costly to make and made to be kept.
  private func parser(for options: JSONOptions) -> ItemLineParser {
    var options = options
    options.dates.formUnion(registry.customDates)
    if let (known, parser) = lineParser, known == options { return parser }
    let made = ItemLineParser(options: options)
    lineParser = (options, made)
    return made
  }

  private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < bytes.count && bytes[end] != 0x0A { end &+= 1 }
    return end
  }

  private func add(_ item: Item, position: Int, line: Int?) throws(IndexingError) {
    switch try resolve(item) {
    case .success(let resolved):
      builder.add(resolved, registry: registry)
      outcome.put += 1
      if item.id.isEmpty { outcome.madeIDs.append((position, resolved.id)) }
    case .failure(let error):
      outcome.refused.append(
        RefusedLine(
          position: position, line: line, id: item.id.isEmpty ? nil : item.id, error: error))
    }
    try added(builder)
  }

  /// Checks an item; custom attributes that it brings are made known to the index first.
  ///
  /// Their numbers are guessed here and fixed by the journal: if another thread was faster, the item is
  /// checked anew.
  private func resolve(_ item: Item) throws(IndexingError) -> Result<ResolvedItem, ItemError> {
    var id = item.id
    while true {
      var trial = registry
      var resolved: ResolvedItem
      do throws(ItemError) {
        resolved = try ItemValidator.validate(item, registry: &trial)
      } catch {
        return .failure(error)
      }
      if id.isEmpty { id = ItemID.make() }
      resolved.id = id
      if trial.custom.count == registry.custom.count { return .success(resolved) }
      for attribute in trial.custom.dropFirst(registry.custom.count) {
        if let refusal = try writer.declare(
          attribute.name, kind: attribute.kind, searchClass: nil)
        {
          registry = writer.admittedRegistry
          return .failure(refusal)
        }
      }
      registry = writer.admittedRegistry
    }
  }
}

extension IndexWriter {
  /// Writes what builders hold as a segment file, in `threads`, and empties them; nil if it is nothing.
  func writeSegment(_ items: SegmentAssembly) throws(IndexingError) -> LiveSegment? {
    guard items.documentCount > 0 else { return nil }
    let thumbnails = try files.writeThumbnails(items.thumbnails, options.uuid)
    do throws(IndexingError) {
      let dictionary = try dictionary(orFrom: items)
      let (number, file) = try indexing { try index.create(.segment) }
      let built = items.finish(
        uuid: options.uuid, segmentID: number, dictionary: dictionary, spill: files.spill(),
        thumbnails: thumbnails?.references ?? [])
      return try files.write(built.image, to: file, number, dictionary, options.uuid)
    } catch {
      if let file = thumbnails?.file { index.discard(.thumbnails, file) }
      throw error
    }
  }
}
