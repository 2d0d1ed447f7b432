// Small files that are right, made by the writers themselves: what fuzzing begins with.

internal import LimelightAnalysis
internal import LimelightCodecs
internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightSpecimens
internal import LimelightStorage

enum FileSeeds {
  static let journalNumber: UInt64 = 2

  // MARK: Segments

  /// A small segment that is whole, to merge with and to search; made once.
  static func other() throws -> Segment {
    if let known = otherSegment { return known }
    let image = build((0..<5).map { SpecimenItems.plain("other\($0)", $0) }).image
    let segment = try Segment.open(image.mappedBytes(), name: "segment.9", verified: true)
    otherSegment = segment
    return segment
  }

  /// For one thread.
  nonisolated(unsafe) private static var otherSegment: Segment?

  static func segments() throws -> [[UInt8]] {
    let rich = (1...3).map { SpecimenItems.rich("r\($0)", $0) }
    let references = (0..<3).map { document in
      (
        document: UInt32(document),
        reference: ThumbnailReference(
          file: 3, offset: 64 + 40 * UInt64(document), length: 31 + UInt32(document))
      )
    }
    let images = [
      build([]), build(rich), build(rich, compresses: false, dictionary: nil),
      build(rich, dictionary: FuzzIndex.dictionary, thumbnails: references),
      build((0..<9).map { SpecimenItems.plain("p\($0)", $0, words: 3) }, stores: false),
      build((0..<40).map { SpecimenItems.plain("p\($0)", $0, words: 12) }),
      // Lists of several blocks, and bit sets with them.
      build((0..<300).map { short($0) }, stores: false),
      build([repeated(700)], stores: false), build((0..<140).map { short($0) }, sets: 2),
    ]
    return images.map { built in built.image.mappedBytes().withBytes { Array($0) } }
  }

  private static func short(_ number: Int) -> Item {
    var item = Item(id: "s\(number)")
    let rest = number % 5 == 0 ? " w\(number % 3) w1" : ""
    item.attributes[number % 7 == 0 ? .textContent : .title] = .text("common\(rest)")
    return item
  }

  /// An item in which one word stands so often that its positions take several groups.
  private static func repeated(_ count: Int) -> Item {
    var item = Item(id: "long")
    item.attributes[.textContent] = .text(
      (0..<count).map { $0 % 3 == 0 ? "w1" : "common" }.joined(separator: " "))
    return item
  }

  private static func build(
    _ items: [Item], stores: Bool = true, compresses: Bool = true,
    dictionary: StoredDictionary? = nil,
    thumbnails: [(document: UInt32, reference: ThumbnailReference)]? = nil,
    sets: Int = Int(AttributeSets.overflowCode)
  ) -> BuiltSegment {
    let builder = SegmentBuilder(analyzer: .words, storesItems: stores, setLimit: sets)
    var registry = FuzzIndex.registry
    for item in items {
      guard let resolved = try? ItemValidator.validate(item, registry: &registry) else { continue }
      builder.add(resolved, registry: registry)
    }
    return builder.finish(
      uuid: FuzzIndex.uuid, segmentID: 1, dictionary: dictionary, compressesItems: compresses,
      thumbnails: thumbnails)
  }

  // MARK: Manifests

  /// The manifest of an index without items, whose journal goes on in `journalNumber`.
  static func emptyManifest() -> Manifest {
    var manifest = Manifest(options: FuzzIndex.options)
    (manifest.number, manifest.journal, manifest.nextFile) = (1, journalNumber, 3)
    return manifest
  }

  static func manifests() throws -> [[UInt8]] {
    var full = emptyManifest()
    (full.nextFile, full.sequence, full.synced, full.dictionary) = (20, 5, 6, 9)
    FuzzIndex.registry.encode(into: &full.registry)
    full.clientState = Array("state".utf8)
    full.revisions = [1, 2, 3]
    full.thumbnails = [10, 11]
    for (number, count) in [1, 300, 70_000, 5].enumerated() {
      var live = LiveDocs(count: count)
      for document in stride(from: 0, to: count, by: number == 2 ? 5 : 90) {
        _ = live.delete(UInt32(document))
      }
      if number == 3 { live.deleteAll() }
      full.segments.append(
        Manifest.Segment(file: 12 + UInt64(number), segmentID: UInt64(number), live: live))
    }
    full.segments[2].live = small(full.segments[2].live.count)
    let dictionary = Array("the dictionary's bytes".utf8)
    let side = SideFile(.dictionary, 3, uuid: FuzzIndex.uuid)
    let pictures = SideFile(.thumbnails, 3, uuid: FuzzIndex.uuid)
    return [
      emptyManifest().encode().asArray(), full.encode().asArray(),
      side.header(of: dictionary) + dictionary,
      pictures.header() + SideFile.seal(Array(0..<30), at: 64),
    ]
  }

  /// Live docs of many pages with one page of bits and one of a list.
  private static func small(_ count: Int) -> LiveDocs {
    var live = LiveDocs(count: count)
    for document in stride(from: 40_000, to: 60_000, by: 2) { _ = live.delete(UInt32(document)) }
    _ = live.delete(7)
    return live
  }

  // MARK: Journals

  static func journals() throws -> [[UInt8]] {
    var registry = AttributeRegistry()
    let rich = try (1...2).map {
      try ItemValidator.validate(SpecimenItems.rich("r\($0)", $0), registry: &registry)
    }
    let plain = try (0..<6).map {
      try ItemValidator.validate(SpecimenItems.plain("p\($0)", $0), registry: &registry)
    }
    var declared: [UInt8] = []
    registry.encode(into: &declared)
    return [
      try journal([]), try journal([[.put(plain)]]),
      try journal([[.declare(declared), .put(rich)], [.delete(ids: ["r1", "none"])], []]),
      try journal([
        [.put(Array(plain[..<2]))], [.clientState([1, 2])], [.put(Array(plain[2...]))],
        [.delete(ids: ["p1"])], [.clientState(nil)], [.deleteAll], [.put([plain[3]])],
      ]),
    ]
  }

  private static func journal(_ records: [[JournalOperation]]) throws -> [UInt8] {
    let folder = Folder.inMemory()
    let writer = try JournalWriter.create(
      in: folder, number: journalNumber, uuid: FuzzIndex.uuid, firstSequence: 1)
    for operations in records {
      let record = try EncodedRecord(operations)
      _ = try writer.append(record, synced: writer.nextSequence - 1)
    }
    writer.close()
    // The journal's random id, so that seeds are the same each time.
    var bytes = try folder.read(FileNames.journal(journalNumber))
    for place in 32..<40 { bytes[place] = UInt8(place) }
    Reseal.all("journal", &bytes)
    return bytes
  }
}
