// The memory of this process, while it indexes long texts, or the same items again and again.

import Glibc
import Limelight
import LimelightStorage
import Synchronization

/// Memory of this process alone, as the kernel counts it: pages of mapped files, which it can take back at
/// any time, are not among it.
enum MemoryTrial {
  /// Puts so many short items, and among them some with so many bytes of text; the peak must stay low.
  ///
  /// Arguments: folder, number of items, how many of them are long, the bytes of these.
  static func heavy(_ arguments: [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 3 else { throw TrialFailure("folder, items, long items, bytes") }
    let (count, long, bytes) = (numbers[0], numbers[1], numbers[2])
    let watch = try MemoryWatch()
    let index = try Index(arguments[0])
    var chance = TrialChance(7)
    for start in stride(from: 0, to: count, by: 100) {
      try index.put(
        (start..<min(start + 100, count)).map { number in
          let isLong = number % max(count / max(long, 1), 1) == 0
          var item = Item(id: "i\(number)", attributes: [.title: .text("all n\(number)")])
          item.attributes[.textContent] = .text(text(isLong ? bytes : 200, &chance))
          return item
        })
    }
    try index.commit()
    try index.merge()
    guard try index.count(.term("all")) == count else { throw TrialFailure("items are missing") }
    try index.close()
    let peak = watch.stop() / 1024
    let mapped = try kilobytes("VmHWM") / 1024
    tell(
      "heavy: \(count) items, \(long) of \(bytes) bytes, \(peak) MB at most, "
        + "\(mapped) MB with mapped files")
    guard peak < 512 else { throw TrialFailure("\(peak) MB") }
  }

  /// Puts the same items three times; memory and disk must not grow with the passes.
  ///
  /// Arguments: folder, number of items.
  static func again(_ arguments: [String]) throws {
    guard arguments.count == 2, let count = Int(arguments[1]) else {
      throw TrialFailure("folder, items")
    }
    let index = try Index(arguments[0])
    var memory: [Int] = []
    var disk: [Int] = []
    for pass in 0..<3 {
      var chance = TrialChance(3)
      for start in stride(from: 0, to: count, by: 500) {
        try index.put(
          (start..<min(start + 500, count)).map { number in
            Item(
              id: "i\(number)", domain: "d\(number % 7)",
              attributes: [
                .title: .text("all n\(number) pass\(pass)"),
                .textContent: .text(text(200, &chance)),
              ])
          })
      }
      memory.append(try kilobytes("RssAnon"))
      try index.merge()
      disk.append(try index.stats().segments.reduce(0) { $0 + $1.bytes })
      guard try index.count == count, try index.count(.term("pass\(pass)")) == count else {
        throw TrialFailure("\(try index.count) items in pass \(pass)")
      }
    }
    try index.close()
    tell("again: \(count) items, memory \(memory) kB, segments \(disk) bytes")
    guard memory[2] * 10 <= memory[0] * 13, disk[2] * 10 <= disk[0] * 12 else {
      throw TrialFailure("memory \(memory) kB, segments \(disk) bytes")
    }
  }

  static func text(_ bytes: Int, _ chance: inout TrialChance) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes + 8)
    while text.count < bytes {
      let number = min(chance.below(50_000), chance.below(50_000), chance.below(50_000))
      text += Array("w\(number) ".utf8)
    }
    return String(decoding: text, as: UTF8.self)
  }

  fileprivate static func kilobytes(_ name: String) throws -> Int {
    guard let file = fopen("/proc/self/status", "r") else { throw TrialFailure("no /proc") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: bytes, as: UTF8.self).split { $0 == ":" || $0.isWhitespace }
      if words.count > 1, words[0] == name, let number = Int(words[1]) { return number }
    }
    throw TrialFailure("the system does not tell \(name)")
  }
}

/// Looks at the memory of this process every few milliseconds.
private final class MemoryWatch: Sendable {
  private let most = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  nonisolated(unsafe) private var watcher: WorkerThread?

  init() throws {
    watcher = try WorkerThread(name: "watch") { [self] in
      while !isOver.load(ordering: .acquiring) {
        if let now = try? MemoryTrial.kilobytes("RssAnon") {
          most.max(now, ordering: .relaxed)
        }
        Clock.sleep(milliseconds: 3)
      }
    }
  }

  /// The most that was seen, in kilobytes.
  func stop() -> Int {
    isOver.store(true, ordering: .releasing)
    watcher?.join()
    return most.load(ordering: .relaxed)
  }
}
