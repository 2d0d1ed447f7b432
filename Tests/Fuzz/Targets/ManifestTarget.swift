// A manifest of any bytes, or a dictionary or thumbnails, whose frames are read the same way.

internal import LimelightCodecs
internal import LimelightItems
internal import LimelightSnapshots
internal import LimelightStorage

enum ManifestTarget {
  static func run(_ bytes: [UInt8]) throws {
    if bytes.starts(with: Array("LIMEDIC1".utf8)) {
      let frame = SideFile(.dictionary, 3, uuid: FuzzIndex.uuid)
      return FuzzReach.note((try? frame.dictionary(in: bytes)) == nil ? .refused : .opened)
    }
    if bytes.starts(with: Array("LIMETHM1".utf8)) {
      thumbnails(bytes)
      return
    }
    guard bytes.count >= 48 else { return FuzzReach.note(.refused) }
    let number = bytes[40..<48].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let manifest: Manifest
    do throws(SnapshotError) {
      manifest = try decode(bytes, number)
    } catch {
      FuzzReach.note(.refused)
      return
    }
    FuzzReach.note(.opened)
    try checkCopy(manifest, number)
    var registry = AttributeRegistry()
    manifest.registry.withUnsafeBytes { try? registry.append(decoding: $0) }
    for segment in manifest.segments.prefix(8) {
      var live = segment.live
      let count = live.liveCount
      try FuzzFailure.unless(
        count >= 0 && count <= live.count, "\(count) of \(live.count) documents are live")
      for document in stride(from: 0, to: min(live.count, 4096), by: 7)
      where live.isLive(UInt32(document)) {
        _ = live.delete(UInt32(document))
      }
      FuzzReach.note(.records)
    }
    open(bytes, number)
  }

  private static func decode(
    _ bytes: [UInt8], _ number: UInt64
  ) throws(SnapshotError) -> Manifest {
    let mapped = FuzzIndex.mapped(bytes)
    return try mapped.withBytes { (raw) throws(SnapshotError) in
      try Manifest(decoding: raw, number: number)
    }
  }

  /// What was read, written and read again says the same.
  private static func checkCopy(_ manifest: Manifest, _ number: UInt64) throws {
    let copy = try decode(manifest.encode().asArray(), number)
    let isSame =
      copy.files == manifest.files && copy.options == manifest.options
      && copy.sequence == manifest.sequence && copy.synced == manifest.synced
      && copy.registry == manifest.registry && copy.clientState == manifest.clientState
      && copy.revisions == manifest.revisions
      && copy.segments.map(\.segmentID) == manifest.segments.map(\.segmentID)
      && copy.segments.map(\.live.liveCount) == manifest.segments.map(\.live.liveCount)
    try FuzzFailure.unless(isSame, "a manifest reads differently when it is written again")
  }

  /// Opens a folder that holds the manifest and nothing that it names.
  private static func open(_ bytes: [UInt8], _ number: UInt64) {
    let folder = Folder.inMemory()
    guard let file = try? folder.create(FileNames.manifest(number)),
      (try? file.append(bytes)) != nil
    else { return }
    _ = try? IndexFolder.openForReading(folder).follow()
  }

  private static func thumbnails(_ bytes: [UInt8]) {
    let frame = SideFile(.thumbnails, 3, uuid: FuzzIndex.uuid)
    guard (try? frame.check(header: Array(bytes.prefix(SideFile.headerSize)))) != nil else {
      return FuzzReach.note(.refused)
    }
    FuzzReach.note(.opened)
    let rest = Array(bytes.dropFirst(SideFile.headerSize))
    for length in [0, 5, 30, rest.count - SideFile.checksumSize] where length >= 0 {
      _ = try? frame.thumbnail(
        of: length, in: Array(rest.prefix(length + SideFile.checksumSize)), at: 64)
    }
  }
}
