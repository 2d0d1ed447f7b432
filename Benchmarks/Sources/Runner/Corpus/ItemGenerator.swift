// Made items: each one follows from the seed and its number alone.

/// Makes items as lines of NDJSON, in the form that `limelight import` reads.
///
/// Item `n` of a seed is the same whatever else is made, on any machine: a larger corpus begins with the
/// smaller one. An item has up to ten attributes, its domain and content type among them, and its line
/// about 300 bytes:
///
/// | attribute | in | value |
/// |---|---|---|
/// | domain | all | 8 groups of 40 folders, few of them large; a quarter of the folders have a third level |
/// | contentType | all | one a group |
/// | title | all | 2 to 5 words by Zipf's law |
/// | textContent | all | 3 to 11 words by Zipf's law |
/// | displayName | half | a file's name: a word, a number |
/// | keywords | half | two words of the ranks 64 to 4,159 |
/// | authorNames | half | one of 4,096 names |
/// | contentCreationDate | all | from 2015 to 2025, more of them late, in ISO 8601 |
/// | lastUsedDate | half | at most two years later, in seconds since 1970 |
/// | rating | three quarters | 0 to 5, mostly 3 or 4 |
package struct ItemGenerator: Sendable {
  /// More than any line is long, in bytes.
  static let longestLine = 1_280
  /// The first second of 2015, in seconds since 1970.
  static let firstSecond = 1_420_070_400
  /// The seconds of the eleven years from then on.
  static let seconds = 347_155_200
  static let folders = 40

  private static let groups: [StaticString] = [
    "mail", "notes", "photos", "files", "music", "books", "calendar", "contacts",
  ]
  private static let contentTypes: [StaticString] = [
    "public.email-message", "public.plain-text", "public.jpeg", "com.adobe.pdf", "public.mp3",
    "org.idpf.epub-container", "public.calendar-event", "public.contact",
  ]
  private static let endings: [StaticString] = [
    "eml", "txt", "jpg", "pdf", "mp3", "epub", "ics", "vcf",
  ]
  private static let ratings: [UInt8] = Array("0122333334444455".utf8)

  let seed: UInt64
  let vocabulary: Vocabulary
  private let sampler = ZipfSampler(bits: Vocabulary.bits)

  /// Prepares the corpus of a seed; takes some tenths of a second.
  package init(seed: UInt64) {
    self.seed = seed
    vocabulary = Vocabulary(seed: seed)
  }

  /// The lines of some items, each with its newline.
  package func lines(_ numbers: Range<Int>) -> [UInt8] {
    let capacity = numbers.count * Self.longestLine
    return vocabulary.withWords { letters, starts in
      [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        guard let start = buffer.baseAddress, let letters = letters.baseAddress,
          let starts = starts.baseAddress
        else { return }
        var writer = LineWriter(start, letters: letters, starts: starts)
        for number in numbers { write(number, to: &writer) }
        count = writer.count(since: start)
      }
    }
  }

  private func write(_ number: Int, to writer: inout LineWriter) {
    var random = RandomSource(seed: seed, stream: number)
    // Few groups and folders are large: the lower of two draws.
    let group = min(random.below(8), random.below(8))
    let folder = min(random.below(Self.folders), random.below(Self.folders))
    writer.text("{\"id\":\"")
    writer.hexadecimal(RandomSource.mix(UInt64(truncatingIfNeeded: number) &+ seed))
    writer.text("\",\"domain\":\"")
    writeDomain(group: group, folder: folder, to: &writer)
    writer.text("\",\"contentType\":\"")
    writer.text(Self.contentTypes[group])
    writer.text("\",\"attributes\":{\"title\":\"")
    writeWords(2 + random.below(4), &random, to: &writer)
    writer.text("\",\"textContent\":\"")
    writeWords(3 + random.below(9), &random, to: &writer)
    writer.text(".\"")
    if random.below(2) == 0 {
      writer.text(",\"displayName\":\"")
      writer.word(sampler.draw(&random))
      writer.byte(UInt8(ascii: "_"))
      writer.number(random.below(10_000))
      writer.byte(UInt8(ascii: "."))
      writer.text(Self.endings[group])
      writer.byte(UInt8(ascii: "\""))
    }
    if random.below(2) == 0 {
      writer.text(",\"keywords\":[\"")
      writer.word(64 + random.below(4_096))
      writer.text("\",\"")
      writer.word(64 + random.below(4_096))
      writer.text("\"]")
    }
    if random.below(2) == 0 {
      let author = random.below(4_096)
      writer.text(",\"authorNames\":[\"")
      writer.word(2_064 + author % 64, isCapital: true)
      writer.byte(UInt8(ascii: " "))
      writer.word(4_160 + author, isCapital: true)
      writer.text("\"]")
    }
    let made = Self.firstSecond + max(random.below(Self.seconds), random.below(Self.seconds))
    writer.text(",\"contentCreationDate\":\"")
    writer.date(made)
    writer.byte(UInt8(ascii: "\""))
    if random.below(2) == 0 {
      writer.text(",\"lastUsedDate\":")
      writer.number(made + random.below(63_072_000))
    }
    if random.below(4) > 0 {
      writer.text(",\"rating\":")
      writer.byte(Self.ratings[random.below(16)])
    }
    writer.text("}}\n")
  }

  private func writeWords(
    _ count: Int, _ random: inout RandomSource, to writer: inout LineWriter
  ) {
    for place in 0..<count {
      if place > 0 { writer.byte(UInt8(ascii: " ")) }
      writer.word(sampler.draw(&random), isCapital: place == 0)
    }
  }

  private func writeDomain(group: Int, folder: Int, to writer: inout LineWriter) {
    writer.text(Self.groups[group])
    writer.byte(UInt8(ascii: "."))
    writer.word(64 + folder)
    if folder % 4 == 3 {
      writer.byte(UInt8(ascii: "."))
      writer.word(104 + folder)
    }
  }

  /// The name of a domain; without a folder, that of a group.
  func domain(group: Int, folder: Int? = nil) -> String {
    let name = Self.groups[group].description
    return folder.map { "\(name).\(vocabulary[64 + $0])" } ?? name
  }
}
