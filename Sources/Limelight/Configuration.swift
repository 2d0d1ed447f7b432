// How an index is made and opened.

internal import LimelightStorage

/// Whether an index is opened to be changed.
public enum Access: Sendable {
  /// For searching and changing. One such handle at a time, over all processes.
  case readWrite
  /// For searching; takes no lock, writes nothing, and follows a writer in another process.
  case readOnly
}

/// How the files of an index come into memory.
public enum FileAccess: Sendable {
  /// Mapped: takes no memory of its own. Something else that cuts a file short while it is open, and a
  /// disk that cannot read a block, end the process with a bus error.
  case map
  /// Read as a whole when the index is opened, and when it gets new files: takes as much memory as the
  /// files have bytes. What cannot be read is an error; nothing that happens to the files afterwards
  /// matters. For file systems on which others may cut files short.
  case read
  /// Mapped, and what goes from under the map is an error, ``LimelightError/Code/damaged``, instead of the
  /// end of the process. For hosts that let the library have a handler of SIGBUS in their process: see
  /// <doc:Stability>. Each call then also looks at the size of each file: half a microsecond a segment.
  case guardedMap
}

extension FileAccess {
  /// What Storage calls it.
  var reading: FileReading {
    switch self {
    case .map: .mapped
    case .read: .copied
    case .guardedMap: .guarded
    }
  }
}

/// What to do with segments that are damaged.
public enum DamagePolicy: Sendable {
  /// Opening fails when it meets damage, and so does each call.
  case fail
  /// They stay out, for reading only: all segments are read once when the index is opened, and those of
  /// which a byte is not what was written are as if they were not there. ``Index/skippedSegments()`` says
  /// which. Answers are then those of the other segments.
  case skipSegments
}

/// A custom attribute whose kind and search class are fixed before its first value.
public struct CustomAttribute: Hashable, Sendable {
  /// 1 to 255 bytes.
  public var name: String
  /// Text, number, bool or date.
  public var kind: AttributeKind
  /// Who finds it; nil: text when named, everything else as a filter.
  public var searchClass: SearchClass?

  /// Describes a custom attribute.
  public init(_ name: String, kind: AttributeKind, searchClass: SearchClass? = nil) {
    self.name = name
    self.kind = kind
    self.searchClass = searchClass
  }
}

/// What an index is made with, and how it is opened.
public struct IndexConfiguration: Sendable {
  /// How texts become words; fixed when the index is made.
  public var analyzer: Analyzer
  /// Whether items are stored, so that they can be returned and highlighted; fixed when the index is
  /// made.
  public var storesItems: Bool
  /// How long to wait for another writer to end, in milliseconds.
  public var lockWait: Int
  /// Whether the host promises that no other process writes, for file systems without locks.
  ///
  /// Where there are locks they count all the same. See <doc:Stability>.
  public var soleWriter: Bool
  /// Custom attributes to declare when the index is opened.
  public var customAttributes: [CustomAttribute]
  /// How files come into memory.
  public var fileAccess: FileAccess
  /// What to do with damaged segments; anything but ``DamagePolicy/fail`` needs ``Access/readOnly``.
  public var damage: DamagePolicy
  /// When changes are durable that do not say so themselves.
  public var durability: Durability

  /// Describes an index.
  public init(
    analyzer: Analyzer = .words, storesItems: Bool = true, lockWait: Int = 0,
    soleWriter: Bool = false,
    customAttributes: [CustomAttribute] = [], fileAccess: FileAccess = .map,
    damage: DamagePolicy = .fail, durability: Durability = .full
  ) {
    self.analyzer = analyzer
    self.storesItems = storesItems
    self.lockWait = lockWait
    self.soleWriter = soleWriter
    self.customAttributes = customAttributes
    self.fileAccess = fileAccess
    self.damage = damage
    self.durability = durability
  }
}
