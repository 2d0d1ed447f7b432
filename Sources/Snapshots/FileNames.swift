// FileNames: what the files of an index are called.

/// The kinds of numbered files in an index's folder.
package enum FileKind: String, CaseIterable, Sendable {
  case manifest, journal, segment, thumbnails, dictionary
}

/// One numbered file of an index: `segment.12`.
///
/// Manifests are numbered one by one. All other files share one counter and no number is used
/// twice, so a name means the same bytes for as long as the index lives.
package struct FileName: Hashable, Sendable, CustomStringConvertible {
  package let kind: FileKind
  package let number: UInt64
  /// Whether it is a manifest that was not finished: `manifest.7.partial`.
  package let isPartial: Bool

  package init(_ kind: FileKind, _ number: UInt64, isPartial: Bool = false) {
    self.kind = kind
    self.number = number
    self.isPartial = isPartial
  }

  /// Reads a name; nil when it is not one that we would write.
  package init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let kind = FileKind(rawValue: String(parts[0])),
      let number = UInt64(parts[1]), (1...SnapshotFormat.highestNumber).contains(number),
      String(number) == parts[1]
    else { return nil }
    if parts.count == 3 {
      guard kind == .manifest, parts[2] == "partial" else { return nil }
    }
    self.init(kind, number, isPartial: parts.count == 3)
  }

  package var description: String {
    "\(kind.rawValue).\(number)" + (isPartial ? ".partial" : "")
  }
}

/// The names of an index's files by their numbers.
package enum FileNames {
  /// The file that the writing process locks; it is empty and stays.
  package static let lock = "lock"

  package static func manifest(_ number: UInt64) -> String { name(.manifest, number) }
  package static func journal(_ number: UInt64) -> String { name(.journal, number) }
  package static func segment(_ number: UInt64) -> String { name(.segment, number) }
  package static func thumbnails(_ number: UInt64) -> String { name(.thumbnails, number) }
  package static func dictionary(_ number: UInt64) -> String { name(.dictionary, number) }

  /// A manifest before it is published.
  package static func partialManifest(_ number: UInt64) -> String {
    FileName(.manifest, number, isPartial: true).description
  }

  package static func name(_ kind: FileKind, _ number: UInt64) -> String {
    FileName(kind, number).description
  }
}
