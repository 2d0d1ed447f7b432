// Lines of any bytes as items: whatever is taken must come through all forms of an item unchanged.

internal import LimelightAnalysis
internal import LimelightIndexing
internal import LimelightItems
internal import LimelightSegments

enum LinesTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    guard let first = bytes.first else { return }
    // The first byte chooses how the lines are read.
    let options = JSONOptions(
      map: first & 1 == 0 ? [:] : ["body": "textContent", "date": "due", "skip": "", "n": "id"],
      dates: first & 2 == 0 ? [] : ["due", "when"])
    let parser = ItemLineParser(options: options)
    let builder = SegmentBuilder(analyzer: first & 4 == 0 ? .words : .runs, storesItems: true)
    var registry = AttributeRegistry()
    if first & 8 != 0 { return try checkHTML(Array(bytes.dropFirst()), builder, registry) }
    var kept: [ResolvedItem] = []
    for line in bytes.dropFirst().split(separator: 0x0A).prefix(64) {
      let item: Item
      do throws(ItemError) {
        item = try parser.parse(UnsafeRawBufferPointer(rebasing: line))
      } catch {
        FuzzReach.note(.refused)
        continue
      }
      FuzzReach.note(.opened)
      try checkLine(item)
      guard var resolved = try? ItemValidator.validate(item, registry: &registry) else { continue }
      FuzzReach.note(.items)
      try checkBytes(resolved)
      if resolved.id.isEmpty || kept.contains(where: { $0.id == resolved.id }) {
        resolved.id = "made \(kept.count)"
        // A line can bear even this id.
        if kept.contains(where: { $0.id == resolved.id }) { continue }
      }
      builder.add(resolved, registry: registry)
      kept.append(resolved)
    }
    try checkSegment(builder, kept)
  }

  /// An item whose HTML may be anything comes through as well.
  private static func checkHTML(
    _ html: [UInt8], _ builder: SegmentBuilder, _ registry: AttributeRegistry
  ) throws {
    var item = Item(id: "html", attributes: [.htmlContentData: .data(html)])
    item.attributes[.textContent] = .text(String(decoding: html, as: UTF8.self))
    try checkLine(item)
    var registry = registry
    let resolved = try ItemValidator.validate(item, registry: &registry)
    FuzzReach.note(.opened)
    try checkBytes(resolved)
    builder.add(resolved, registry: registry)
    try checkSegment(builder, [resolved])
  }

  /// The item as a line reads as the same item.
  private static func checkLine(_ item: Item) throws {
    let line = ItemJSON.write(item)
    var dates: Set<String> = []
    for (attribute, value) in item.attributes {
      if case .date = value { dates.insert(attribute.name) }
    }
    let copy = try line.withUnsafeBytes {
      try ItemJSON.parseLine($0, options: JSONOptions(dates: dates))
    }
    try FuzzFailure.unless(
      copy == item, "an item changes as a line: \(String(decoding: line, as: UTF8.self))")
  }

  /// The item as bytes reads as the same item.
  private static func checkBytes(_ item: ResolvedItem) throws {
    var bytes: [UInt8] = []
    ItemCodec.encode(item, into: &bytes, thumbnail: .bytes)
    let copy = try bytes.withUnsafeBytes { try ItemCodec.decode($0) }
    try FuzzFailure.unless(copy == item, "item \(item.id) changes as bytes")
  }

  /// The items make a segment that is whole and gives them back.
  private static func checkSegment(_ builder: SegmentBuilder, _ items: [ResolvedItem]) throws {
    let built = builder.finish(uuid: FuzzIndex.uuid, segmentID: 1)
    let segment = try Segment.open(
      built.image.mappedBytes(), name: "segment.1", verified: false)
    let problems = segment.verify()
    try FuzzFailure.unless(problems.isEmpty, "lines make a damaged segment: \(problems)")
    FuzzReach.note(.whole)
    guard !items.isEmpty, let ids = try segment.ids(), let stored = try segment.storedItems()
    else { return }
    for (document, item) in items.enumerated() {
      let document = UInt32(document)
      try FuzzFailure.unless(
        try ids.find(item.id) == document, "item \(item.id) is not found by its id")
      let copy = try ItemCodec.decode(try stored.record(of: document))
      try FuzzFailure.unless(
        copy.values.elementsEqual(item.values) { $0.id == $1.id && $0.value == $1.value },
        "item \(item.id) is stored differently")
      FuzzReach.note(.storedItems)
    }
  }
}
