// One value's text in, its tokens out.

/// Cuts text into folded tokens.
package struct TextAnalyzer: Sendable {
  package let kind: Analyzer

  /// The longest term in bytes; a longer token is cut at a scalar boundary of its folded form.
  ///
  /// The cut is the same for a query, so a token of a megabyte is still found by its full spelling
  /// (and by whatever else shares its first 255 folded bytes).
  package static var maximumTermBytes: Int { 255 }

  /// Text beyond this is not analysed, so that every offset fits 32 bits; items are far smaller.
  package static var maximumTextBytes: Int { 1 << 28 }

  package init(_ kind: Analyzer) { self.kind = kind }

  /// Replaces the buffer's tokens by those of the text, in linear time.
  package func analyze(_ utf8: UnsafeRawBufferPointer, into buffer: TokenBuffer) {
    let count = min(utf8.count, TextAnalyzer.maximumTextBytes)
    buffer.columns.prepare(textBytes: count)
    buffer.invalidBytes = 0
    guard count > 0, let base = utf8.baseAddress else { return }
    if count <= ShortWord.longest, buffer.columns.take(shortWord: base, count: count) { return }
    var run = Analysis(
      source: base.assumingMemoryBound(to: UInt8.self), count: count,
      tables: ScalarTables.shared, columns: buffer.columns, scratch: buffer.scratch)
    switch kind {
    case .runs: run.cutRuns()
    case .words: run.cutWords()
    }
    buffer.columns = run.columns
    buffer.invalidBytes = run.invalidBytes
  }
}

/// The state of one call of `analyze`: plain pointers and numbers, so that loops keep them local.
struct Analysis {
  let source: UnsafePointer<UInt8>
  let count: Int
  let tables: ScalarTables
  var columns: TokenColumns
  let scratch: FoldScratch
  var invalidBytes = 0

  init(
    source: UnsafePointer<UInt8>, count: Int, tables: ScalarTables, columns: TokenColumns,
    scratch: FoldScratch
  ) {
    self.source = source
    self.count = count
    self.tables = tables
    self.columns = columns
    self.scratch = scratch
  }

  /// Appends the source range as one folded token, unless it folds to nothing.
  mutating func appendFolded(from start: Int, to end: Int) {
    let limit = TextAnalyzer.maximumTermBytes
    columns.reserveBytes(limit + Folder.overrun)
    let folded = Folder.fold(
      source, from: start, to: end, into: columns.bytes + columns.byteCount, limit: limit,
      cuts: true, tables: tables, scratch: scratch)
    if folded.written > 0 {
      columns.append(
        start: columns.byteCount, length: folded.written, sourceStart: start, sourceEnd: end)
      columns.byteCount += folded.written
    }
  }
}
