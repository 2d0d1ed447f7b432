// Arguments checked and translated: texts, bytes, lists, places, structs of options.

internal import CLimelight
internal import Glibc

/// The length that stands for "up to the NUL": `LIME_TERMINATED`.
private let terminated = -1

/// The bytes of an argument.
func bytes(
  _ pointer: UnsafeRawPointer?, _ length: Int, _ name: StaticString
) throws -> UnsafeRawBufferPointer {
  guard let pointer else {
    guard length == 0 || length == terminated else { throw CallError.required(name) }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }
  if length == terminated {
    let count = strlen(pointer.assumingMemoryBound(to: CChar.self))
    return UnsafeRawBufferPointer(start: pointer, count: Int(count))
  }
  guard length >= 0 else {
    throw CallError.argument("the length of \(name) is too large")
  }
  return UnsafeRawBufferPointer(start: pointer, count: length)
}

/// A text; throws what is not UTF-8.
func text(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
) throws -> String {
  let bytes = try bytes(pointer, length, name)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw CallError(LIME_ERROR_TEXT, "\(name) is not UTF-8")
  }
  return text
}

/// A text, or nil for NULL.
func optionalText(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
) throws -> String? {
  if pointer == nil, length == 0 || length == terminated { return nil }
  return try text(pointer, length, name)
}

/// A text that ends with a NUL.
func terminatedText(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws -> String {
  guard pointer != nil else { throw CallError.required(name) }
  return try text(pointer, terminated, name)
}

/// Texts that end with NULs or have lengths.
func texts(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int>?, _ count: Int,
  _ name: StaticString
) throws -> [String] {
  guard count != 0 else { return [] }
  guard count > 0 else { throw CallError.argument("there are too many of \(name)") }
  guard let pointers else { throw CallError.required(name) }
  var texts: [String] = []
  for place in 0..<count {
    guard let pointer = pointers[place] else {
      throw CallError.argument("number \(place) of \(name) is NULL")
    }
    texts.append(try text(pointer, lengths.map { $0[place] } ?? terminated, name))
  }
  return texts
}

/// A place below a count.
func checkPlace(_ place: Int, below count: Int) throws {
  guard place >= 0, place < count else {
    let place = UInt(bitPattern: place)
    throw CallError.argument("there is no number \(place): \(count) are there, from 0")
  }
}

/// A limit: what is beyond the range of Int stands for no limit.
func limit(_ count: Int) -> Int { count < 0 ? .max : count }

/// The host's struct of options, as far as this library knows it; `none` is one of zeros.
///
/// One that an older host gives ends early, and the rest is zeros; one that a newer host gives may be longer,
/// but must not ask for anything there.
func options<Options>(_ pointer: UnsafePointer<Options>?, none: Options) throws -> Options {
  guard let pointer else { return none }
  let raw = UnsafeRawPointer(pointer)
  let size = Int(raw.loadUnaligned(as: UInt32.self))
  let known = MemoryLayout<Options>.stride
  guard size >= 4, size <= 4096 else {
    throw CallError.argument("the options have no valid size: \(size)")
  }
  if size > known {
    let rest = UnsafeRawBufferPointer(start: raw + known, count: size - known)
    guard rest.allSatisfy({ $0 == 0 }) else {
      throw CallError.unsupported("the options ask for something that this version does not know")
    }
  }
  var options = none
  withUnsafeMutableBytes(of: &options) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: min(size, known)))
  }
  return options
}

/// Refuses flags that this version does not know.
func checkFlags(_ flags: UInt32, known: UInt32) throws {
  guard flags & ~known == 0 else {
    throw CallError.unsupported("the flags \(flags & ~known) are not known to this version")
  }
}
