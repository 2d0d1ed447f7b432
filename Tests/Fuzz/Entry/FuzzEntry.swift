// The functions that libFuzzer calls; the name of the program says which target it is.

internal import Glibc
internal import LimelightFuzz

/// libFuzzer's own way of changing bytes in place; gives their new number.
@_silgen_name("LLVMFuzzerMutate")
private func changeInPlace(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int
) -> Int

/// Set once, before the first input.
nonisolated(unsafe) private var target = FuzzTarget.segment

/// Called once with the arguments: `fuzz-journal` runs the target `journal`.
///
/// With `LIMELIGHT_FUZZ_SEEDS` the program writes the target's seeds into that folder and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
  _ count: UnsafeMutablePointer<Int32>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  let program = arguments?.pointee?[0].map { String(cString: $0) } ?? ""
  guard let name = program.split(separator: "-").last,
    let named = FuzzTarget(rawValue: String(name))
  else {
    say("the program's name must end with -TARGET: \(FuzzTarget.allCases.map(\.rawValue))")
    exit(2)
  }
  target = named
  if let folder = getenv("LIMELIGHT_FUZZ_SEEDS") { writeSeeds(String(cString: folder)) }
  atexit { say("reached: \(FuzzReach.report)") }
  return 0
}

/// Called with each input; ends the program when the target finds what must never be.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  do {
    try target.run(UnsafeRawBufferPointer(start: data, count: size))
  } catch {
    say("FAILURE: \(error)")
    abort()
  }
  return 0
}

/// Called to make a new input out of one in place.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let mutated = target.mutate(bytes, limit: limit, seed: seed) { part, limit in
    var room = part + [UInt8](repeating: 0, count: max(0, limit - part.count))
    let length = room.withUnsafeMutableBufferPointer { room in
      room.baseAddress.map { changeInPlace($0, part.count, room.count) } ?? 0
    }
    return Array(room.prefix(length))
  }
  let length = min(mutated.count, limit)
  for place in 0..<length { data[place] = mutated[place] }
  return length
}

private func writeSeeds(_ folder: String) {
  do {
    for (number, bytes) in try target.seeds().enumerated() {
      let file = open("\(folder)/seed-\(number)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard file >= 0, write(file, bytes, bytes.count) == bytes.count else {
        say("cannot write seeds to \(folder)")
        exit(2)
      }
      close(file)
    }
  } catch {
    say("no seeds: \(error)")
    exit(2)
  }
  exit(0)
}

private func say(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = write(2, line, line.count)
}
