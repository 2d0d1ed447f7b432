// Repairing the index in a folder.

public import CLimelight
internal import Limelight
internal import LimelightItems

extension JSONText {
  fileprivate mutating func repair(_ report: RepairReport) {
    object { json in
      json.member("problems") { $0.array(of: report.problems) { $0.problem($1) } }
      json.member("rescued") { $0.number(report.rescued) }
      json.member("lost") { $0.array(of: report.lost) { $0.text($1) } }
      json.member("unidentified") {
        $0.array(of: report.unidentified) { json, loss in
          json.object { json in
            json.member("file") { $0.text(loss.file) }
            json.member("items") { $0.number(loss.items) }
          }
        }
      }
      json.member("withoutThumbnail") {
        $0.array(of: report.withoutThumbnail) { $0.text($1) }
      }
      json.member("lostChanges") { $0.number(report.lostChanges) }
      json.member("path") { $0.text(report.path) }
      json.member("original") { $0.text(report.original) }
    }
  }
}

@_cdecl("lime_repair") @implementation
public func lime_repair(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<lime_repair_options>?,
  _ problems: UnsafeMutablePointer<Int>?, _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  problems?.pointee = 0
  report?.pointee = nil
  return call {
    guard let problems else {
      throw CallError.required("the out-pointer for the number of problems")
    }
    let given = try LimelightC.options(options, none: lime_repair_options())
    try checkFlags(given.flags, known: LIME_REPAIR_DRY_RUN | LIME_REPAIR_SOLE_WRITER)
    let path = try terminatedText(path, "the path")
    guard !path.isEmpty else { throw CallError.argument("the path is empty") }
    let output = try given.output.map { try terminatedText($0, "the output") }
    guard output?.isEmpty != true else { throw CallError.argument("the output's path is empty") }
    let done = try Index.repair(
      path, output: output, dryRun: given.flags & LIME_REPAIR_DRY_RUN != 0,
      soleWriter: given.flags & LIME_REPAIR_SOLE_WRITER != 0,
      cancellation: cancellation(given.cancellation))
    if let report {
      var json = JSONText()
      json.repair(done)
      report.pointee = try HandleTable.shared.open(StringObject(json.bytes))
    }
    problems.pointee = done.problems.count
  }
}
