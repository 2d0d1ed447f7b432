// Folding, scalar by scalar, with a way out for what has to be put into canonical order.

/// How far one call of `Folder.fold` came.
struct FoldProgress {
  /// The source offset behind the last scalar that was folded.
  var read: Int
  var written: Int
}

/// The loop under `Folding` and the analysers.
///
/// Most scalars fold by a look-up to bytes that nothing before or behind can change. The text is
/// thought of as pieces: a scalar that never reaches back, then marks and joining scalars. When
/// a scalar may compose or change places with what stands before it, its piece is folded again
/// through `FoldScratch`; so the result is the same for every canonically equivalent spelling.
enum Folder {
  /// Bytes behind the limit that may be written over.
  static var overrun: Int { 64 }

  /// Folds the source range until it ends or `limit` bytes are written.
  ///
  /// With `cuts` a piece that does not fit is cut at a scalar, and folding ends there; otherwise
  /// folding stops before that piece. `out` has room for `limit + overrun` bytes. Linear time.
  static func fold(
    _ source: UnsafePointer<UInt8>, from start: Int, to end: Int,
    into out: UnsafeMutablePointer<UInt8>, limit: Int, cuts: Bool,
    tables: ScalarTables, scratch: FoldScratch
  ) -> FoldProgress {
    var at = start
    var written = 0
    var piece = FoldProgress(read: start, written: 0)  // where the piece at hand begins
    var markLast = false
    var isFull = false  // a mark did not fit: only what reaches back can still change the output
    while at < end {
      let byte = source[at]
      if byte < 0x80 {
        if isFull || written == limit { return FoldProgress(read: at, written: written) }
        if end &- at >= 8, limit &- written >= 8 {
          let eight = UnsafeRawPointer(source + at).loadUnaligned(as: UInt64.self)
          if eight & ASCIIBlock.highs == 0 {
            UnsafeMutableRawPointer(out + written)
              .storeBytes(of: ASCIIBlock.lowered(eight), as: UInt64.self)
            at &+= 8
            written &+= 8
            piece = FoldProgress(read: at &- 1, written: written &- 1)
            markLast = false
            continue
          }
        }
        piece = FoldProgress(read: at, written: written)
        out[written] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        written &+= 1
        at &+= 1
        markLast = false
        continue
      }

      let scalar = UTF8Scalar(source, at: at, end: end)
      let isValid = scalar.value != UTF8Scalar.invalid
      let value = isValid ? scalar.value : UTF8Scalar.replacement
      let fold = tables[value].fold
      if fold == ScalarEntry.removed {
        at &+= scalar.length
        continue
      }
      if fold == ScalarEntry.itself {
        if isFull { return FoldProgress(read: at, written: written) }
        let length = UTF8Scalar.encode(value, into: out + written)
        if written &+ length > limit { return FoldProgress(read: at, written: written) }
        piece = FoldProgress(read: at, written: written)
        written &+= length
        at &+= scalar.length
        markLast = false
        continue
      }
      if fold == ScalarEntry.mark, !markLast {
        if !isFull {
          let length = UTF8Scalar.encode(value, into: out + written)
          if written &+ length <= limit {
            written &+= length
          } else if cuts {
            isFull = true
          } else {
            return piece
          }
        }
        at &+= scalar.length
        markLast = true
        continue
      }
      if fold > ScalarEntry.removed {
        let record = FoldRecord(header: tables.pool[fold])
        if !record.joins {
          if isFull { return FoldProgress(read: at, written: written) }
          (out + written).update(from: tables.pool + fold + 1, count: record.length)
          if written &+ record.length > limit {
            let fitting = cuts ? Folder.scalarBoundary(out, written, limit) : written
            return FoldProgress(read: at, written: fitting)
          }
          piece = FoldProgress(read: at, written: written)
          written &+= record.length
          at &+= scalar.length
          markLast = record.endsInMark
          continue
        }
      }

      // The scalar reaches back: the whole piece in canonical order, composed.
      at = scratch.normalize(source, from: piece.read, to: end, tables: tables)
      written = piece.written
      for index in 0..<scratch.count {
        let length = UTF8Scalar.encode(scratch.scalar(index), into: out + written)
        if written &+ length > limit {
          return cuts ? FoldProgress(read: at, written: written) : piece
        }
        written &+= length
      }
      piece = FoldProgress(read: at, written: written)
      markLast = false
      isFull = false
    }
    return FoldProgress(read: end, written: written)
  }

  /// The last scalar boundary at or before `limit` in folded bytes that begin a scalar at `start`.
  private static func scalarBoundary(
    _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ limit: Int
  ) -> Int {
    var cut = limit
    while cut > start, bytes[cut] & 0xC0 == 0x80 { cut &-= 1 }
    return cut
  }
}
