// A folder with the files of a specimen, in which one of them is changed after the other.

import Foundation
import Limelight
import LimelightSpecimens

/// What a damaged index does.
struct Outcome {
  /// The code of the error when it cannot even be opened.
  var refusal: LimelightError.Code?
  var answers: Answers?
  var problems: [Problem] = []
}

/// The files of a specimen on a disk.
final class Sandbox {
  let path: String
  private let files: [String: [UInt8]]

  init(_ specimen: Specimen) throws {
    files = specimen.files
    path = try Specimen.scratch("sandbox-" + specimen.name)
    try restore()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes all files anew, and removes what is not theirs.
  func restore() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    for (name, bytes) in files { try write(bytes, to: name) }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  /// Opens the index for reading and asks everything.
  func read() -> Outcome {
    do throws(LimelightError) {
      let index = try Index(path, access: .readOnly)
      let answers = Answers(of: index)
      return Outcome(answers: answers, problems: try index.verify())
    } catch {
      return Outcome(refusal: error.code)
    }
  }

  /// Opens the index for writing, asks everything, changes and merges it.
  func write() -> Outcome {
    do throws(LimelightError) {
      let index = try Index(path)
      let answers = Answers(of: index)
      let problems = try index.verify()
      try index.put([SpecimenItems.plain("new", 1)])
      try index.merge()
      try index.close()
      return Outcome(answers: answers, problems: problems)
    } catch {
      return Outcome(refusal: error.code)
    }
  }
}
