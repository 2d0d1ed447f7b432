// Opening and closing an index, and what it was made with.

public import CLimelight
internal import Limelight
internal import LimelightItems

/// An open index.
final class IndexObject: HandleObject {
  static let kind = HandleKind.index
  let index: Index
  private let lender = Lender()
  /// The folder, as it was given.
  let path: Lent?

  init(_ index: Index) {
    self.index = index
    path = index.path.map(lender.lend)
  }
}

@_cdecl("lime_index_open") @implementation
public func lime_index_open(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<lime_open_options>?,
  _ index: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(index) {
    let (configuration, access) = try openOptions(options)
    let path = try terminatedText(path, "the path")
    guard !path.isEmpty else { throw CallError.argument("the path is empty") }
    return IndexObject(try Index(path, options: configuration, access: access))
  }
}

@_cdecl("lime_index_open_memory") @implementation
public func lime_index_open_memory(
  _ options: UnsafePointer<lime_open_options>?, _ index: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(index) {
    let (configuration, access) = try openOptions(options)
    guard access == .readWrite else {
      throw CallError.argument("an index in memory cannot be opened for reading only")
    }
    return IndexObject(try Index.inMemory(options: configuration))
  }
}

@_cdecl("lime_index_close") @implementation
public func lime_index_close(_ index: OpaquePointer?) -> lime_status {
  call { try HandleTable.shared.close(index, IndexObject.self) { try $0.index.close() } }
}

@_cdecl("lime_index_path") @implementation
public func lime_index_path(
  _ index: OpaquePointer?, _ path: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(index, IndexObject.self, path, length) { $0.path }
}

@_cdecl("lime_index_analyzer") @implementation
public func lime_index_analyzer(
  _ index: OpaquePointer?, _ analyzer: UnsafeMutablePointer<lime_analyzer>?
) -> lime_status {
  analyzer?.pointee = LIME_ANALYZER_WORDS
  return call {
    guard let analyzer else { throw CallError.required("the out-pointer for the analyzer") }
    analyzer.pointee = try with(index, IndexObject.self) {
      switch $0.index.analyzer {
      case .words: LIME_ANALYZER_WORDS
      case .runs: LIME_ANALYZER_RUNS
      }
    }
  }
}

@_cdecl("lime_index_stores_items") @implementation
public func lime_index_stores_items(
  _ index: OpaquePointer?, _ stores: UnsafeMutablePointer<Int32>?
) -> lime_status {
  read(index, IndexObject.self, stores) { $0.index.storesItems ? 1 : 0 }
}

@_cdecl("lime_index_skipped") @implementation
public func lime_index_skipped(
  _ index: OpaquePointer?, _ segments: UnsafeMutablePointer<Int>?,
  _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  segments?.pointee = 0
  report?.pointee = nil
  return call {
    guard let segments else {
      throw CallError.required("the out-pointer for the number of segments")
    }
    let skipped = try with(index, IndexObject.self) { try $0.index.skippedSegments() }
    if let report {
      var json = JSONText()
      json.array(of: skipped) { json, segment in
        json.object { json in
          json.member("file") { $0.text(segment.file) }
          json.member("items") { $0.number(segment.items) }
          json.member("problem") { $0.problem(segment.problem) }
        }
      }
      report.pointee = try HandleTable.shared.open(StringObject(json.bytes))
    }
    segments.pointee = skipped.count
  }
}

private func openOptions(
  _ pointer: UnsafePointer<lime_open_options>?
) throws -> (IndexConfiguration, Access) {
  let given = try options(pointer, none: lime_open_options())
  try checkFlags(
    given.flags,
    known: LIME_OPEN_READ_ONLY | LIME_OPEN_WITHOUT_ITEMS | LIME_OPEN_SKIP_DAMAGED
      | LIME_OPEN_READ_FILES | LIME_OPEN_GUARD_MAPS | LIME_OPEN_SOLE_WRITER
      | LIME_OPEN_JOURNALED | LIME_OPEN_RELAXED)
  let analyzer: Analyzer
  switch given.analyzer {
  case LIME_ANALYZER_WORDS.rawValue: analyzer = .words
  case LIME_ANALYZER_RUNS.rawValue: analyzer = .runs
  default: throw CallError.unsupported("there is no analyzer \(given.analyzer) in this version")
  }
  return (
    IndexConfiguration(
      analyzer: analyzer, storesItems: given.flags & LIME_OPEN_WITHOUT_ITEMS == 0,
      lockWait: Int(given.lock_wait),
      soleWriter: given.flags & LIME_OPEN_SOLE_WRITER != 0,
      fileAccess: try fileAccess(given.flags),
      damage: given.flags & LIME_OPEN_SKIP_DAMAGED == 0 ? .fail : .skipSegments,
      durability: try durability(given.flags)),
    given.flags & LIME_OPEN_READ_ONLY == 0 ? .readWrite : .readOnly
  )
}

private func fileAccess(_ flags: UInt32) throws -> FileAccess {
  switch (flags & LIME_OPEN_READ_FILES != 0, flags & LIME_OPEN_GUARD_MAPS != 0) {
  case (false, false): return .map
  case (true, false): return .read
  case (false, true): return .guardedMap
  case (true, true): throw CallError.argument("files that are read have no maps to guard")
  }
}
