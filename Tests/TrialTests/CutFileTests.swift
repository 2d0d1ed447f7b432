// Segment files that are cut short while other processes have them open.

import Foundation
import Limelight
import LimelightStorage
import Testing

@Suite(.serialized)
struct CutFileTests {
  /// What stands where the cut comes.
  enum Cut: CaseIterable, Sendable {
    case nothingLeft, oneByte, firstPage, betweenPages, insideOfAPage, middle, lastPage, lastByte
    case shortly

    func length(of size: Int) -> Int {
      switch self {
      case .nothingLeft: 0
      case .oneByte: 1
      case .firstPage: 4096
      case .betweenPages: size / 3 & ~0xFFFF
      case .insideOfAPage: size / 3 & ~0xFFF + 100
      case .middle: size / 2
      case .lastPage: (size - 1) & ~0xFFF
      // Bytes behind the end in the last page read as zeros, and no signal tells.
      case .lastByte: size - 1
      case .shortly: size - size % 4096 / 2 - 1
      }
    }
  }

  /// The words of item N are those of its number, so that every question has one answer.
  static func item(_ number: Int) -> Item {
    let words = (0..<60).map { "w\((number &* 31 &+ $0 &* $0) % 997)" }
    return Item(
      id: "i\(number)", domain: "d.\(number % 7)",
      attributes: [
        .title: .text("all t\(number % 50) n\(number)"),
        .textContent: .text(words.joined(separator: " ")),
        .pageCount: .number(Double(number)),
      ])
  }

  /// The files of one index for all tests: a large segment, and a small one behind it.
  private static let original = Result { () throws -> [String: Data] in
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    var start = 0
    try index.load {
      guard start < 3000 else { return nil }
      defer { start += 500 }
      return .items((start..<start + 500).map { Self.item($0) })
    }
    try index.put((3000..<3020).map { Self.item($0) })
    try index.close()
    var files: [String: Data] = [:]
    for name in try TrialFolder.files(folder.index).keys {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder.index + "/" + name))
    }
    return files
  }

  /// A copy, and the name and size of its largest segment.
  private func copy() throws -> (folder: TrialFolder, file: String, size: Int) {
    let folder = try TrialFolder()
    let files = try Self.original.get()
    try FileManager.default.createDirectory(
      atPath: folder.index, withIntermediateDirectories: false)
    for (name, bytes) in files {
      try bytes.write(to: URL(fileURLWithPath: folder.index + "/" + name))
    }
    let segments = files.filter { $0.key.hasPrefix("segment.") }
    let largest = try #require(segments.max { $0.value.count < $1.value.count })
    return (folder, largest.key, largest.value.count)
  }

  @Test(arguments: Cut.allCases, ["read", "write"])
  func withGuardedMapsACutIsAnErrorAndNeverAnAnswer(_ cut: Cut, _ access: String) throws {
    let (folder, file, size) = try copy()
    let child = try TrialProcess(["cut", folder.index, access, "guarded", file])
    try #require(try child.wait(lines: 1))
    usleep(UInt32.random(in: 0...30_000))
    #expect(truncate(folder.index + "/" + file, off_t(cut.length(of: size))) == 0)
    #expect(try child.end().hasPrefix("damaged at "))
  }

  @Test func aFileThatComesBackToItsLengthStaysDamaged() throws {
    let (folder, file, size) = try copy()
    let index = try Index(
      folder.index, options: IndexConfiguration(fileAccess: .guardedMap), access: .readOnly)
    #expect(try index.count(.term("all")) == 3020)
    let path = folder.index + "/" + file
    #expect(truncate(path, off_t(size / 2)) == 0)
    #expect(throws: LimelightError.self) { try index.count(.term("all")) }
    #expect(truncate(path, off_t(size)) == 0)
    let error = #expect(throws: LimelightError.self) { try index.count(.term("all")) }
    #expect(error?.code == .damaged && error?.file == file)
    // Another handle that reads the file as it is now sees what it is.
    #expect(try !Index.verify(folder.index).isEmpty)
  }

  /// What Stability.md says of maps that are not guarded.
  @Test func withoutAGuardTheSystemEndsTheProcess() throws {
    let (folder, file, _) = try copy()
    let child = try TrialProcess(["cut", folder.index, "write", "mapped", file])
    try #require(try child.wait(lines: 1))
    #expect(truncate(folder.index + "/" + file, 0) == 0)
    #expect(try child.signal() == SIGBUS)
  }

  @Test func otherBusErrorsGoToTheHost() throws {
    let (folder, _, _) = try copy()
    let child = try TrialProcess(["signals", folder.path])
    #expect(try child.signal() == SIGBUS)
    #expect(child.lines == ["signals: passed on"])
  }

  @Test(arguments: [FileAccess.map, .guardedMap])
  func aWriterNoticesACutBeforeItPublishesAnything(_ access: FileAccess) throws {
    let (folder, file, size) = try copy()
    let index = try Index(folder.index, options: IndexConfiguration(fileAccess: access))
    let path = folder.index + "/" + file
    let bytes = try #require(FileManager.default.contents(atPath: path))
    let manifests = try TrialFolder.files(folder.index).filter { $0.key.hasPrefix("manifest.") }
    #expect(truncate(path, off_t(size - 1)) == 0)
    let steps: [(String, () throws -> Void)] = [
      ("commit", { try index.commit() }), ("merge", { try index.merge() }),
      ("put", { try index.put([Self.item(1)]) }), ("close", { try index.close() }),
    ]
    for (name, step) in steps {
      let error = #expect(throws: LimelightError.self, "\(name)") { try step() }
      #expect(error?.code == .damaged && error?.file == file, "\(name): \(error as Any)")
      #expect(error?.offset == size - 1, "\(name): \(error as Any)")
    }
    #expect(
      try TrialFolder.files(folder.index).filter { $0.key.hasPrefix("manifest.") } == manifests)
    // With the file put back, nothing is wrong.
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try Index.verify(folder.index).isEmpty)
    #expect(try Index(folder.index).count == 3020)
  }
}
