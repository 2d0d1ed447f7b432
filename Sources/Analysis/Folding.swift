// The folding of text: one spelling for all that a reader would call the same word.

/// Folds case, accents, width and compatibility forms away.
///
/// Two texts are the same to a search when their folded forms are the same bytes. In this order:
///
/// 1. Canonical and compatibility decomposition (NFKD): `ﬁ` is `fi`, full and half width are one.
/// 2. Accents go: the nonspacing and enclosing marks of Latin, Greek, Cyrillic, Hebrew, Arabic,
///    Syriac and of no script in particular. Marks that spell stay: vowel signs, tone marks,
///    nuktas and viramas of the other scripts, and the voicing marks of kana. So `é` is `e`, `й`
///    is `и`, `ё` is `е`, `أ` is `ا`, but `が` is not `か`.
/// 3. Default ignorable scalars go (soft hyphen, joiners, variation selectors; the zero width
///    space stays, it is a boundary), and tatweel.
/// 4. Full case folding: `ß` is `ss`, `ς` is `σ`. Without regard to language: `İ` and `ı` are `i`.
/// 5. Letters that have no decomposition yet are typed plain: `ø` is `o`, `ł` `l`, `đ` and `ð` `d`,
///    `ħ` `h`, `ŧ` `t`, `þ` `th`, `æ` `ae`, `œ` `oe`; and the curly apostrophes are `'`.
/// 6. Canonical composition of what is left (Hangul, kana, Indic), so that terms stay short.
///
/// A letter or number folds to letters, numbers and marks only: `⑴` is `1`, and a vulgar fraction
/// stays itself. Folding twice changes nothing, and NFC and NFD fold alike. Unicode 15.0; later
/// scalars fold to themselves. A sequence that is not UTF-8 folds to U+FFFD.
package enum Folding {
  /// Appends the folded form, in linear time.
  package static func fold(_ utf8: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
    guard let base = utf8.baseAddress, utf8.count > 0 else { return }
    let source = base.assumingMemoryBound(to: UInt8.self)
    let scratch = FoldScratch()
    var at = 0
    var room = min(max(64, utf8.count), 1 << 16)
    while at < utf8.count {
      let start = at
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room + Folder.overrun) { buffer in
        guard let out = buffer.baseAddress else { return }
        let progress = Folder.fold(
          source, from: start, to: utf8.count, into: out, limit: room, cuts: false,
          tables: .shared, scratch: scratch)
        folded.append(contentsOf: UnsafeBufferPointer(start: out, count: progress.written))
        at = progress.read
      }
      // A piece larger than the room, of thousands of marks, asks for more.
      if at == start { room *= 2 }
    }
  }

  /// The folded form of a string.
  package static func fold(_ string: String) -> [UInt8] {
    var folded: [UInt8] = []
    var copy = string
    copy.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &folded) }
    return folded
  }
}
