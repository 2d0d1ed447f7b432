// Looks for damage everywhere in a segment.

package import LimelightStorage

extension Segment {
  /// Compares every page with its checksum; throws the first that is damaged.
  package func verifyPages() throws(CorruptionError) {
    for page in 0..<pageGuard.pageCount where !pageGuard.check(page: page) {
      let offset = page << SegmentFormat.pageShift
      throw .corrupt(
        file: name, section: sectionName(at: offset), offset: offset, PageGuard.mismatch)
    }
  }

  /// Every damage that can be found: each page against its checksum, each part against itself.
  ///
  /// A part reports its first damage only. Reads and decodes all of the segment. The lists and
  /// the dictionaries of terms are walked by `verifyFields`, which stands beside them. When `isCancelled`,
  /// asked for each page, part and term, says so, the rest is passed over.
  package func verify(isCancelled: () -> Bool = { false }) -> [CorruptionError] {
    var errors: [CorruptionError] = []
    for page in 0..<pageGuard.pageCount {
      if isCancelled() { return errors }
      guard !pageGuard.check(page: page) else { continue }
      let offset = page << SegmentFormat.pageShift
      errors.append(
        .corrupt(
          file: name, section: sectionName(at: offset), offset: offset,
          PageGuard.mismatch))
    }
    func add(_ error: CorruptionError) {
      // Bad pages have been reported, under the name of their first section.
      if error.message != PageGuard.mismatch, !errors.contains(error) { errors.append(error) }
    }
    func collect(_ check: () throws(CorruptionError) -> Void) {
      if isCancelled() { return }
      do throws(CorruptionError) { try check() } catch { add(error) }
    }
    collect { () throws(CorruptionError) in _ = try norms() }
    collect { () throws(CorruptionError) in _ = try attributeSets() }
    collect { () throws(CorruptionError) in _ = try arrivalOrder() }
    collect { () throws(CorruptionError) in try ids()?.verify() }
    collect { () throws(CorruptionError) in try valueTable()?.verify() }
    collect { () throws(CorruptionError) in try columns()?.verify() }
    // Without their dictionary, which is a file of its own, stored items say nothing about themselves.
    if hasItsDictionary { collect { () throws(CorruptionError) in try storedItems()?.verify() } }
    collect { () throws(CorruptionError) in try expiry()?.verify() }
    collect { () throws(CorruptionError) in try thumbnails()?.verify() }
    for error in verifyFields(isCancelled) { add(error) }
    return errors
  }

  /// Compares the pages of a segment that cannot be opened with their checksums, as far as its frame tells
  /// where those are.
  package static func badPages(_ bytes: MappedBytes, name: String) -> [CorruptionError] {
    guard let frame = try? SegmentFrame(bytes, name: name, verified: false, salvaging: true) else {
      return []
    }
    return (0..<frame.pageGuard.pageCount).filter { !frame.pageGuard.check(page: $0) }.map { page in
      let offset = page << SegmentFormat.pageShift
      let section = frame.sections.firstIndex { view in
        view.map { $0.fileOffset + $0.count > offset } ?? false
      }
      let kind = section.flatMap { SectionKind(rawValue: UInt16($0)) } ?? .header
      return .corrupt(file: name, section: kind.name, offset: offset, PageGuard.mismatch)
    }
  }

  /// The section that a page begins in, or whose bytes are the first in it.
  func sectionName(at offset: Int) -> String {
    let end = offset + SegmentFormat.pageSize
    for kind in SectionKind.allCases {
      guard let view = section(kind) else { continue }
      if view.fileOffset < end, view.fileOffset + view.count > offset { return kind.name }
    }
    return SectionKind.header.name
  }
}
