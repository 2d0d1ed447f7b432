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
    var text = name
    guard let known = text.withUTF8({ Self.parsed(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = known
  }

  private static func parsed(_ name: UnsafeRawBufferPointer) -> FileName? {
    guard let kind = FileKind.allCases.first(where: { starts(name, with: $0.rawValue) }),
      kind.rawValue.utf8.count < name.count,
      name[kind.rawValue.utf8.count] == UInt8(ascii: ".")
    else { return nil }
    var at = kind.rawValue.utf8.count + 1
    let start = at
    var number: UInt64 = 0
    while at < name.count, name[at] != UInt8(ascii: ".") {
      let digit = name[at] &- UInt8(ascii: "0")
      guard digit < 10, at > start || digit > 0, at &- start < 19 else { return nil }
      number = number &* 10 &+ UInt64(digit)
      at += 1
    }
    guard (1...SnapshotFormat.highestNumber).contains(number) else { return nil }
    if at == name.count { return FileName(kind, number) }
    let rest = UnsafeRawBufferPointer(rebasing: name[at...])
    guard kind == .manifest, rest.count == 8, starts(rest, with: ".partial") else { return nil }
    return FileName(kind, number, isPartial: true)
  }

  private static func starts(_ bytes: UnsafeRawBufferPointer, with text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard bytes.count >= text.count else { return false }
      for i in 0..<text.count where bytes[i] != text[i] { return false }
      return true
    }
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
