// All keys of a sorted dictionary in order.

/// Walks over the keys of a dictionary, putting each together.
struct KeyPagesCursor {
  private let reader: KeyPagesReader
  private var page: Int
  private var scanner: KeyPageScanner?
  /// The ordinal of the key that `next` came to.
  private(set) var ordinal: Int
  /// That key, the shared prefix included, and its payload.
  private(set) var key: [UInt8]
  private(set) var number: UInt64 = 0
  private(set) var payload = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Begins before the first key of a page.
  init(_ reader: KeyPagesReader, page: Int) {
    self.reader = reader
    self.page = page
    ordinal = page * KeyPagesWriter.keysPerPage - 1
    key = Array(reader.shared)
  }

  /// Where in the pages the walk is, for errors.
  var position: Int { scanner?.position ?? 0 }

  mutating func next() throws(CorruptionError) -> Bool {
    while true {
      if scanner == nil {
        guard page < reader.pageCount else { return false }
        scanner = try reader.scanner(page: page)
        page += 1
      }
      if scanner?.next() == true { break }
      if let scanner, scanner.isCorrupt { throw reader.corrupt(at: scanner.position) }
      scanner = nil
    }
    guard let scanner else { return false }
    ordinal += 1
    key.removeSubrange((reader.shared.count + scanner.shared)...)
    key.append(contentsOf: scanner.suffix)
    number = scanner.number
    payload = scanner.payload
    return true
  }
}
