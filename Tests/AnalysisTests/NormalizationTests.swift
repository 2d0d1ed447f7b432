// Unicode's NormalizationTest: spellings that are canonically the same are the same to a search.

import Foundation
import LimelightAnalysis
import Testing

@Suite struct NormalizationTests {
  private static let path = "/usr/share/unicode/NormalizationTest.txt.bz2"
  private static let bzip2 = ["/usr/bin/bzip2", "/bin/bzip2"]
    .first(where: FileManager.default.isExecutableFile)

  private static var isAvailable: Bool {
    bzip2 != nil && FileManager.default.fileExists(atPath: path)
  }

  /// The five columns of each row: source, NFC, NFD, NFKC, NFKD.
  private func rows() throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.bzip2))
    process.arguments = ["-dc", Self.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try #require(try pipe.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }
      .map { line in
        line.split(separator: ";").prefix(5).map { column in
          let values = column.split(separator: " ").compactMap { UInt32($0, radix: 16) }
          return String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
        }
      }
  }

  @Test(
    .enabled(
      if: isAvailable, "skipped: needs bzip2 and NormalizationTest.txt.bz2 of package unicode-data")
  )
  func everyRowFoldsAlike() throws {
    let rows = try rows()
    #expect(rows.count > 18_000)
    for row in rows {
      try #require(row.count == 5)
      let folds = row.map { Folding.fold($0) }
      #expect(folds[0] == folds[1] && folds[1] == folds[2] && folds[3] == folds[4], "\(row)")
      for kind in Analyzer.allCases {
        // Between letters, so that marks which begin the row have something to stand on.
        let found = row.prefix(3).map { terms(kind, "x" + $0 + "y " + $0) }
        #expect(found[0] == found[1] && found[1] == found[2], "\(kind) \(row)")
      }
    }
  }
}
