// The sections of an index file in groups that mean something to a reader.

/// What a part of the index is there for.
enum SectionGroup: String, CaseIterable {
  case terms
  case postings
  case positions
  case values = "norms and values"
  case ids
  case columns
  case stored = "stored items"
  case other

  /// The group of a section by its name in the statistics; what is not known is `other`.
  init(section name: String) {
    self =
      switch name {
      case "fields", "termIndex", "termPages", "termTails": .terms
      case "skips", "postings", "bitSets", "prefixLists": .postings
      case "positions": .positions
      case "norms", "attributeSets", "valueIndex", "values": .values
      case "idIndex", "idPages", "idOrder": .ids
      case "columnDirectory", "columns", "expiry": .columns
      case "storedIndex", "stored": .stored
      default: .other
      }
  }
}

extension IndexResult {
  /// The bytes of each group, in the order of the groups.
  ///
  /// What the files hold beyond the sections of segments (journal, manifest, padding) is in `other`.
  var groups: [(group: SectionGroup, bytes: Int)] {
    var sums: [SectionGroup: Int] = [:]
    for section in sections {
      sums[SectionGroup(section: section.name), default: 0] += section.bytes
    }
    let rest = indexBytes - sections.reduce(0) { $0 + $1.bytes }
    sums[.other, default: 0] += max(0, rest)
    return SectionGroup.allCases.map { (group: $0, bytes: sums[$0] ?? 0) }
  }
}
