// Numbers about an index, and what is wrong with it.

public import CLimelight
internal import Limelight
internal import LimelightItems
internal import LimelightStorage

/// Numbers about an index, and their text.
final class StatsObject: HandleObject {
  static let kind = HandleKind.stats
  private let statistics: Statistics
  private let lock = Lock()
  private let lender = Lender()
  private var json = JSONText()
  private var lent: Lent?

  init(_ index: Index) throws {
    statistics = try index.stats()
    json.statistics(statistics, of: index)
  }

  func number(_ part: lime_stats_part) throws -> UInt64 {
    switch part {
    case LIME_STATS_ITEMS: UInt64(statistics.items)
    case LIME_STATS_DELETED: UInt64(statistics.deleted)
    case LIME_STATS_GENERATION: statistics.generation
    case LIME_STATS_SEGMENTS: UInt64(statistics.segments.count)
    case LIME_STATS_BYTES: UInt64(statistics.segments.reduce(0) { $0 + $1.bytes })
    case LIME_STATS_DOMAINS: UInt64(statistics.domains.count)
    case LIME_STATS_ATTRIBUTES: UInt64(statistics.attributes.count)
    case LIME_STATS_TOKENS: UInt64(statistics.attributes.reduce(0) { $0 + $1.tokens })
    case LIME_STATS_VALUES: UInt64(statistics.attributes.reduce(0) { $0 + $1.values })
    default: throw CallError.unsupported("the stats have no number \(part.rawValue)")
    }
  }

  func lendJSON() -> Lent {
    lock.withLock {
      let known = lent ?? lender.lend(json.bytes)
      lent = known
      json = JSONText()
      return known
    }
  }
}

extension JSONText {
  mutating func problem(_ problem: Problem) {
    object { json in
      json.member("file") { $0.text(problem.file) }
      if let section = problem.section { json.member("section") { $0.text(section) } }
      if let offset = problem.offset { json.member("offset") { $0.number(offset) } }
      json.member("status") { $0.number(Int(problem.code.status.rawValue)) }
      json.member("message") { $0.text(problem.message) }
    }
  }
}

@_cdecl("lime_index_stats") @implementation
public func lime_index_stats(
  _ index: OpaquePointer?, _ stats: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(stats) { try with(index, IndexObject.self) { try StatsObject($0.index) } }
}

@_cdecl("lime_stats_free") @implementation
public func lime_stats_free(_ stats: OpaquePointer?) -> lime_status {
  end(stats, StatsObject.self)
}

@_cdecl("lime_stats_number") @implementation
public func lime_stats_number(
  _ stats: OpaquePointer?, _ part: lime_stats_part, _ number: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(stats, StatsObject.self, number) { try $0.number(part) }
}

@_cdecl("lime_stats_json") @implementation
public func lime_stats_json(
  _ stats: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(stats, StatsObject.self, json, length) { $0.lendJSON() }
}

@_cdecl("lime_index_verify") @implementation
public func lime_index_verify(
  _ index: OpaquePointer?, _ options: UnsafePointer<lime_work_options>?,
  _ problems: UnsafeMutablePointer<Int>?, _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  verify(problems, report) {
    try with(index, IndexObject.self) {
      try $0.index.verify(cancellation: workCancellation(options))
    }
  }
}

@_cdecl("lime_verify") @implementation
public func lime_verify(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<lime_work_options>?,
  _ problems: UnsafeMutablePointer<Int>?, _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  verify(problems, report) {
    let cancellation = try workCancellation(options)
    return try Index.verify(terminatedText(path, "the path"), cancellation: cancellation)
  }
}

private func verify(
  _ count: UnsafeMutablePointer<Int>?, _ report: HandleOut?, _ body: () throws -> [Problem]
) -> lime_status {
  count?.pointee = 0
  report?.pointee = nil
  return call {
    guard let count else { throw CallError.required("the out-pointer for the number of problems") }
    let problems = try body()
    if let report {
      var json = JSONText()
      json.array(of: problems) { $0.problem($1) }
      report.pointee = try HandleTable.shared.open(StringObject(json.bytes))
    }
    count.pointee = problems.count
  }
}
