// FaultDisk: random runs against a model - what was synced survives, and nothing is invented.
import Glibc
import LimelightStorage
import Testing

@Suite struct FaultDiskPropertyTests {
  /// What a test knows of one file.
  private final class ModelFile {
    var shown: [UInt8] = []
    var synced: [UInt8] = []
    /// The bytes of `synced` that nothing has cut off since.
    var stable = 0
    /// The greatest size since the last sync, and so the greatest that can be left.
    var largest = 0
    /// The contents before each cut: with `shown`, every byte that ever stood at an offset.
    var former: [[UInt8]] = []
    var file: AppendFile?

    func append(_ bytes: [UInt8]) {
      shown += bytes
      largest = max(largest, shown.count)
    }

    func truncate(to size: Int) {
      former.append(shown)
      shown.removeLast(shown.count - size)
      stable = min(stable, size)
    }

    func sync() {
      synced = shown
      stable = shown.count
      largest = shown.count
    }

    /// Whether a power cut can leave these bytes of the file.
    func admits(_ bytes: [UInt8]) -> Bool {
      guard bytes.count >= stable, bytes.count <= largest else { return false }
      guard bytes.prefix(stable) == synced.prefix(stable) else { return false }
      let known = former + [shown]
      return stride(from: stable, to: bytes.count, by: 64).allSatisfy { start in
        let piece = bytes[start..<min(start + 64, bytes.count)]
        // Mostly a piece is as it was written; only the others are looked at byte by byte.
        return known.contains { $0.dropFirst(start).prefix(64) == piece }
          || piece.indices.allSatisfy { offset in
            bytes[offset] == 0
              || known.contains { offset < $0.count && $0[offset] == bytes[offset] }
          }
      }
    }
  }

  /// The folder as it must be, and every file that a name can have after a power cut.
  private struct Model {
    var shown: [String: ModelFile] = [:]
    var synced: [String: ModelFile] = [:]
    /// The files that had a name since the last sync of the folder.
    var candidates: [String: [ModelFile]] = [:]
    var touched: Set<String> = []

    mutating func set(_ name: String, _ file: ModelFile?) {
      shown[name] = file
      touched.insert(name)
      if let file { candidates[name, default: []].append(file) }
    }

    mutating func sync() {
      synced = shown
      candidates = shown.mapValues { [$0] }
      touched = []
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  private let names = ["a", "b", "c", "d", "e"]

  @Test(arguments: 0..<30 as Range<UInt64>) func syncedSurvivesAndNothingIsInvented(
    _ seed: UInt64
  ) throws {
    var generator = Generator(state: seed)
    let disk = FaultDisk(seed: seed)
    let folder = Folder.faulty(disk)
    var model = Model()
    for step in 0..<100 {
      try change(folder, &model, &generator)
      guard step % 8 == 0 else { continue }
      for other in 0..<4 as Range<UInt64> {
        try check(Folder.faulty(disk.powerCut(seed: seed &* 1000 &+ other)), model)
      }
    }
    #expect(try folder.list() == model.shown.keys.sorted())
    for (name, file) in model.shown { #expect(try folder.read(name) == file.shown) }
  }

  /// The same with the power cut in the middle: at each operation of a run, once.
  @Test func everyPlaceForACut() throws {
    for place in 1...80 {
      var generator = Generator(state: 4)
      let disk = FaultDisk(seed: UInt64(place))
      disk.cut(number: place)
      let folder = Folder.faulty(disk)
      var model = Model()
      do {
        for _ in 0..<1000 {
          // What is under way may reach the disk: the model takes it in before it is tried.
          try change(folder, &model, &generator, isExpected: true)
        }
        Issue.record("the cut at \(place) never came")
      } catch let error as StorageError {
        #expect(error.kind == .io)
        #expect(disk.isCut)
      }
      for other in 0..<4 as Range<UInt64> {
        try check(Folder.faulty(disk.powerCut(seed: other)), model)
      }
    }
  }

  /// Makes one random change to folder and model; the model first, when a cut is expected.
  private func change(
    _ folder: Folder, _ model: inout Model, _ generator: inout Generator, isExpected: Bool = false
  ) throws {
    let name = names.randomElement(using: &generator) ?? ""
    let other = names.randomElement(using: &generator) ?? ""
    guard let known = model.shown[name] else {
      let new = ModelFile()
      model.set(name, new)
      new.file = try folder.create(name)
      return
    }
    let file = try #require(known.file)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<9:
      let count = [3, 100, 300, 4200].randomElement(using: &generator) ?? 1
      let salt = UInt8.random(in: 0...255, using: &generator)
      // Never 0, which is what a hole reads as.
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ salt | 1 }
      known.append(bytes)
      try file.append(bytes)
    case 9..<12:
      try file.sync()
      known.sync()
    case 12..<14:
      try folder.sync()
      model.sync()
    case 14:
      let size = Int.random(in: 0...known.shown.count, using: &generator)
      known.truncate(to: size)
      try file.truncate(to: size)
    case 15..<18 where other != name:
      model.set(name, nil)
      model.set(other, known)
      try folder.rename(name, other)
    case 18:
      model.set(name, nil)
      try folder.remove(name)
    default:
      #expect(try folder.map(name).bytes == known.shown)
    }
  }

  private func check(_ folder: Folder, _ model: Model) throws {
    let left = try folder.list()
    for (name, file) in model.synced where !model.touched.contains(name) {
      #expect(left.contains(name), "a synced name is gone")
      #expect(model.candidates[name]?.contains { $0 === file } == true)
    }
    for name in left {
      let bytes = try folder.read(name)
      let candidates = model.candidates[name] ?? []
      #expect(candidates.contains { $0.admits(bytes) }, "\(name) holds what no file held")
    }
  }
}
