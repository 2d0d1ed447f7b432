// The checksums of a file's pages, worked out while its bytes pass by.

internal import LimelightCodecs

/// The XXH64 of each page of a file whose bytes come in pieces.
struct PageHasher {
  private var hash = XXH64(seed: 0)
  private var filled = 0
  private var pages: [UInt64] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      let part = min(bytes.count - done, SegmentFormat.pageSize - filled)
      hash.update(start + done, part)
      filled += part
      done += part
      if filled == SegmentFormat.pageSize { endPage() }
    }
  }

  private mutating func endPage() {
    pages.append(hash.digest())
    hash = XXH64(seed: 0)
    filled = 0
  }

  mutating func finish() -> [UInt64] {
    if filled > 0 { endPage() }
    return pages
  }
}
