// An index: opening, closing, and the state that all calls share.

internal import LimelightAnalysis
internal import LimelightIndexing
internal import LimelightSnapshots
internal import LimelightStorage

/// A search index in a folder or in memory.
///
/// ```swift
/// let index = try Index("notes.index")
/// try index.put([Item(id: "1", attributes: [.title: "Café notes"])])
/// for hit in try index.search("cafe") { print(try hit.id, hit.score) }
/// ```
///
/// When a change returns, it is durable, unless another ``Durability`` is asked for, and found by every
/// later search, here and in other processes.
/// Any thread may call anything at any time; searches never wait for changes. One handle at a time may
/// write to a folder; any number may read.
public final class Index: Sendable {
  enum Backend: Sendable {
    case writer(IndexWriter)
    case follower(IndexFollower)
  }

  let backend: Backend
  let searchers = SearcherPool()
  private let closing = ClosingFlag()
  /// The folder, or nil for an index in memory.
  public let path: String?

  /// Opens the index in a folder; makes folder and index if there is none and `access` lets it.
  ///
  /// - Throws: ``LimelightError``: `locked` if somebody else writes the index, `notFound` if there is none
  ///   to read, `damaged`, `newerFormat`, `olderFormat`, `analyzerMismatch`, or what the operating system
  ///   says.
  public init(
    _ path: String, options: IndexConfiguration = IndexConfiguration(),
    access: Access = .readWrite
  ) throws(LimelightError) {
    self.path = path
    if access == .readWrite { try Self.checkWritable(options) }
    let backend = try publicly { () -> Backend in
      let folder = try Folder.open(
        path: path, create: access == .readWrite, reading: options.fileAccess.reading,
        locking: options.soleWriter ? .promised : .required)
      switch access {
      case .readWrite:
        return .writer(try Self.writer(folder, options))
      case .readOnly:
        return .follower(
          try IndexFollower(folder, skipsDamaged: options.damage == .skipSegments))
      }
    }
    self.backend = backend
    try declareAll(options.customAttributes)
  }

  /// Makes an index that lives in memory until the handle goes.
  public static func inMemory(
    options: IndexConfiguration = IndexConfiguration()
  ) throws(LimelightError) -> Index {
    try Index(memory: options)
  }

  private init(memory options: IndexConfiguration) throws(LimelightError) {
    path = nil
    try Self.checkWritable(options)
    backend = .writer(try publicly { try Self.writer(.inMemory(), options) })
    try declareAll(options.customAttributes)
  }

  private static func checkWritable(_ options: IndexConfiguration) throws(LimelightError) {
    guard options.damage == .fail else {
      throw LimelightError(
        .invalidArgument, "an index without its damaged segments can only be opened for reading")
    }
  }

  private static func writer(
    _ folder: Folder, _ options: IndexConfiguration
  ) throws -> IndexWriter {
    let made = IndexOptions(
      analyzerName: options.analyzer.rawValue, analyzerVersion: options.analyzer.version,
      storesItems: options.storesItems)
    return try IndexWriter(
      folder, creating: made, waiting: options.lockWait, sync: ChangeSync(options.durability))
  }

  private func declareAll(_ attributes: [CustomAttribute]) throws(LimelightError) {
    guard case .writer = backend else { return }
    for attribute in attributes { try declare(attribute) }
  }

  deinit { try? close() }

  /// Writes what is only in the journal to segment files and gives up the lock.
  ///
  /// Later calls throw `closed`; closing again does nothing. Results at hand stay readable.
  public func close() throws(LimelightError) {
    guard closing.set() else { return }
    if case .writer(let writer) = backend { try publicly { try writer.close() } }
  }

  /// The writer, for calls that change the index.
  func writer() throws(LimelightError) -> IndexWriter {
    try checkOpen()
    guard case .writer(let writer) = backend else {
      throw LimelightError(.readOnly, "the index was opened for reading")
    }
    return writer
  }

  /// The index as it is now.
  ///
  /// With `inItsFiles` also in the newest segments, where a merge has put the same items in other files.
  func root(inItsFiles: Bool = false) throws(LimelightError) -> IndexRoot {
    try checkOpen()
    switch backend {
    case .writer(let writer):
      try publicly { try writer.checkProcess() }
      return writer.root
    case .follower(let follower):
      return try publicly { try follower.refresh(inItsFiles: inItsFiles) }
    }
  }

  /// Whether the index as it is now is still this root.
  func isNewest(_ root: IndexRoot) throws(LimelightError) -> Bool {
    try checkOpen()
    switch backend {
    case .writer(let writer):
      try publicly { try writer.checkProcess() }
      return writer.isNewest(root)
    case .follower(let follower):
      return try publicly { try follower.refresh() } === root
    }
  }

  private func checkOpen() throws(LimelightError) {
    if closing.isSet { throw LimelightError(.closed, "the index was closed") }
  }

  /// The analyser with which the index was made.
  public var analyzer: Analyzer {
    switch backend {
    case .writer(let writer): writer.analyzer
    case .follower(let follower): follower.analyzer
    }
  }

  /// Whether items can be returned and highlighted.
  public var storesItems: Bool {
    switch backend {
    case .writer(let writer): writer.options.storesItems
    case .follower(let follower): follower.options.storesItems
    }
  }
}
