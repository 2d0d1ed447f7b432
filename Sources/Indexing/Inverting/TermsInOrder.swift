// The terms of several tables in the order in which a segment stores them.

internal import LimelightSegments
internal import LimelightStorage

/// What a builder hands to a flush: its inverted lists.
struct FlushPart {
  let table: TermTable
  let spans: ValueSpans
  /// The key of each field number of the table.
  let fields: [FieldKey]
  /// For each document of the table its number in the segment, ascending; nil if it is the same.
  let documents: UnsafePointer<UInt32>?
}

/// The terms of all parts, each once, by field and by bytes.
struct TermsInOrder {
  /// The fields in order.
  let keys: [FieldKey]
  /// For each field its first term, and behind the last one the number of terms.
  let starts: [Int]
  /// For each term its number in each part; `absent` where a part does not have it.
  private let numbers: [UInt32]
  private let parts: Int

  static let absent = UInt32.max

  /// Sorts the terms: each part's in a thread.
  init(_ parts: [FlushPart], threads: Int) {
    var keys = parts[0].fields
    for part in parts.dropFirst() {
      for key in part.fields where !keys.contains(key) { keys.append(key) }
    }
    keys.sort()
    self.keys = keys
    self.parts = parts.count
    let ranks = parts.map { part in
      part.fields.map { key in UInt16(truncatingIfNeeded: keys.firstIndex(of: key) ?? 0) }
    }
    let sorted = UnsafeMutablePointer<[SortedTerm]>.allocate(capacity: parts.count)
    sorted.initialize(repeating: [], count: parts.count)
    defer {
      sorted.deinitialize(count: parts.count)
      sorted.deallocate()
    }
    ParallelTasks.run(threads: threads, count: parts.count) { part in
      sorted[part] = parts[part].table.sorted(fieldRanks: ranks[part])
    }
    var firsts = [Int](repeating: 0, count: keys.count + 1)
    if parts.count == 1 {
      numbers = sorted[0].map(\.number)
      for term in sorted[0] { firsts[Int(term.rank) + 1] += 1 }
      for field in keys.indices { firsts[field + 1] += firsts[field] }
    } else {
      numbers = Self.merge(parts, (0..<parts.count).map { sorted[$0] }, &firsts)
    }
    starts = firsts
  }

  var count: Int { numbers.count / parts }

  /// The number of a term in a part, or `absent`.
  @inline(__always)
  func number(of term: Int, in part: Int) -> UInt32 { numbers[term &* parts &+ part] }

  /// A range of a part's terms that were not joined yet.
  private struct Head {
    let part: Int
    var next: UnsafePointer<SortedTerm>
    let end: UnsafePointer<SortedTerm>
  }

  /// Joins terms that are in order in each part; counts them by field into `starts`.
  private static func merge(
    _ parts: [FlushPart], _ sorted: [[SortedTerm]], _ starts: inout [Int]
  ) -> [UInt32] {
    let heads = UnsafeMutablePointer<Head>.allocate(capacity: parts.count)
    defer { heads.deallocate() }
    var count = 0
    for (part, terms) in sorted.enumerated() {
      terms.withUnsafeBufferPointer { terms in
        guard let base = terms.baseAddress, !terms.isEmpty else { return }
        (heads + count).initialize(to: Head(part: part, next: base, end: base + terms.count))
        count += 1
      }
    }
    defer { withExtendedLifetime(sorted) {} }
    let most = sorted.reduce(0) { $0 + $1.count }
    let merged = [UInt32](unsafeUninitializedCapacity: most * parts.count) { numbers, size in
      guard var row = numbers.baseAddress else { return }
      var field = 0
      while count > 0 {
        row.update(repeating: absent, count: parts.count)
        var least = heads[0]
        row[least.part] = least.next.pointee.number
        for i in 1..<count {
          let head = heads[i]
          let order = compare(
            head.next.pointee, parts, head.part, least.next.pointee, least.part)
          if order < 0 {
            row.update(repeating: absent, count: parts.count)
            least = head
          }
          if order <= 0 { row[head.part] = head.next.pointee.number }
        }
        let rank = Int(least.next.pointee.rank)
        while field < rank {
          field += 1
          starts[field] = size / parts.count
        }
        var left = 0
        for i in 0..<count {
          if row[heads[i].part] != absent { heads[i].next += 1 }
          if heads[i].next != heads[i].end {
            heads[left] = heads[i]
            left += 1
          }
        }
        count = left
        row += parts.count
        size += parts.count
      }
      while field + 1 < starts.count {
        field += 1
        starts[field] = size / parts.count
      }
    }
    return merged
  }

  @inline(__always)
  private static func compare(
    _ a: SortedTerm, _ parts: [FlushPart], _ partOfA: Int, _ b: SortedTerm, _ partOfB: Int
  ) -> Int {
    if a.rank != b.rank { return a.rank < b.rank ? -1 : 1 }
    if a.head != b.head { return a.head < b.head ? -1 : 1 }
    return TermOrder.compare(
      parts[partOfA].table.bytes(of: Int(a.number)),
      parts[partOfB].table.bytes(of: Int(b.number)))
  }
}

extension TermsInOrder {
  /// About `count` ranges of as many terms each, which end where fields or pages of terms do.
  func ranges(_ count: Int) -> [Range<Int>] {
    let page = FieldsWriter.termsPerPage
    let pages = max((self.count / max(count, 1) + page - 1) / page, 1)
    var ranges: [Range<Int>] = []
    var start = 0
    for field in keys.indices {
      // What is left of the fields before comes along.
      var end = starts[field]
      while starts[field + 1] - end > 0 {
        let room = max(pages * page - (end - start), page)
        end += min((room + page - 1) / page * page, starts[field + 1] - end)
        if end - start >= pages * page {
          ranges.append(start..<end)
          start = end
        }
      }
    }
    if start < self.count { ranges.append(start..<self.count) }
    return ranges
  }
}
