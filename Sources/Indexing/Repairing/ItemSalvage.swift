// The items of all damaged segments, and those of which only the ids are left.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots
internal import LimelightStorage

/// Gives the whole items of damaged segments one after the other, and keeps account of the others.
///
/// For one thread.
struct ItemSalvage {
  private let segments: [ExaminedSegment]
  private let options: IndexOptions
  private let folder: Folder
  private var place = 0
  private var current: SegmentSalvage?
  private var rescued = 0
  private var lost: Set<String> = []
  private var withoutThumbnail: Set<String> = []
  private var unidentified: [Int]

  init(_ segments: [ExaminedSegment], _ options: IndexOptions, folder: Folder) {
    self.segments = segments
    self.options = options
    self.folder = folder
    unidentified = segments.map { $0.segment == nil ? $0.entry.live.liveCount : 0 }
  }

  /// The next whole item; nil at the end.
  mutating func next() -> ResolvedItem? {
    while place < segments.count {
      if current == nil {
        guard let segment = segments[place].segment else {
          place += 1
          continue
        }
        current = SegmentSalvage(segment, live: segments[place].entry.live, options, folder: folder)
      }
      switch current?.nextItem() {
      case .whole(let item, let lacksThumbnail):
        if lacksThumbnail { withoutThumbnail.insert(item.id) }
        rescued += 1
        return item
      case .id(let id): lost.insert(id)
      case .nothing: unidentified[place] += 1
      case nil:
        current = nil
        place += 1
      }
    }
    return nil
  }

  /// Adds the account.
  func add(to outcome: inout RepairOutcome) {
    outcome.rescued += rescued
    outcome.lost.formUnion(lost)
    outcome.withoutThumbnail.formUnion(withoutThumbnail)
    for (place, items) in unidentified.enumerated() where items > 0 {
      outcome.unidentified.append((segments[place].file, items))
    }
  }
}
