// All word boundaries of a text, for highlights and for the conformance test.

package enum WordBoundaries {
  /// The byte offsets of the word boundaries of UAX #29, from 0 to the end; none in empty text.
  ///
  /// A sequence that is not UTF-8 counts as U+FFFD. Linear time.
  package static func boundaries(_ utf8: UnsafeRawBufferPointer) -> [Int] {
    guard let base = utf8.baseAddress, utf8.count > 0 else { return [] }
    let source = base.assumingMemoryBound(to: UInt8.self)
    let tables = ScalarTables.shared
    var breaker = WordBreaker()
    var offsets = [0]
    var at = 0
    while at < utf8.count {
      let scalar = UTF8Scalar(source, at: at, end: utf8.count)
      let isValid = scalar.value != UTF8Scalar.invalid
      let entry = tables[isValid ? scalar.value : UTF8Scalar.replacement]
      let boundaries = breaker.next(entry, at: at)
      if boundaries.held >= 0 { offsets.append(boundaries.held) }
      if boundaries.here { offsets.append(at) }
      at += scalar.length
    }
    if breaker.heldAtEnd >= 0 { offsets.append(breaker.heldAtEnd) }
    offsets.append(utf8.count)
    return offsets
  }
}
