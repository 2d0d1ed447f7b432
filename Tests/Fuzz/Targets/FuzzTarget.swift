// What reads bytes from outside, as targets by name: each takes any bytes and must come back.

internal import LimelightSpecimens

/// A part of Limelight that a fuzzer feeds.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// One segment: opened, verified, walked, searched and merged.
  case segment
  /// One manifest, or a file that stands beside segments.
  case manifest
  /// One journal, behind an empty index: replayed by a reader and by a writer.
  case journal
  /// Lines of NDJSON, or HTML: read, checked, encoded, built into a segment, and back.
  case lines
  /// Typed text: analysed, parsed, searched and highlighted.
  case text

  /// Runs the target on bytes that may be anything.
  ///
  /// Files get right checksums first, so that what stands behind them is reached. Throws what must
  /// never be: an answer that contradicts another.
  package func run(_ bytes: UnsafeRawBufferPointer) throws {
    switch self {
    case .segment: try SegmentTarget.run(sealed(bytes))
    case .manifest: try ManifestTarget.run(sealed(bytes))
    case .journal: try JournalTarget.run(sealed(bytes))
    case .lines: try LinesTarget.run(bytes)
    case .text: try TextTarget.run(bytes)
    }
  }

  private func sealed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var sealed = Array(bytes)
    Reseal.all(rawValue, &sealed)
    return sealed
  }

  /// Inputs to begin with: small files and texts that are right.
  package func seeds() throws -> [[UInt8]] {
    switch self {
    case .segment: try FileSeeds.segments()
    case .manifest: try FileSeeds.manifests()
    case .journal: try FileSeeds.journals()
    case .lines: TextSeeds.lines.map { Array($0.utf8) }
    case .text: TextSeeds.typed.map { Array($0.utf8) }
    }
  }

  /// Changes an input; `change` is the fuzzer's own way of changing bytes.
  ///
  /// Files are taken apart, so that a change of one part leaves the frame around it whole. Every third
  /// change is made to a seed instead: inputs gather damages, and one with a single damage gets deepest.
  package func mutate(
    _ bytes: [UInt8], limit: Int, seed: UInt32,
    by change: @escaping ([UInt8], _ limit: Int) -> [UInt8]
  ) -> [UInt8] {
    guard let parts, seed % 8 != 0 else { return change(bytes, limit) }
    var mutation = PartsMutation(seed: seed, limit: limit, change: change)
    let fresh = seed % 3 == 0 ? Self.kept(self).randomElement(seed) : nil
    return mutation.apply(parts, fresh ?? bytes)
  }

  /// The seeds of a target, made once; for one thread.
  private static func kept(_ target: FuzzTarget) -> [[UInt8]] {
    if let known = keptSeeds[target] { return known }
    let made = (try? target.seeds()) ?? []
    keptSeeds[target] = made
    return made
  }

  nonisolated(unsafe) private static var keptSeeds: [FuzzTarget: [[UInt8]]] = [:]

  private var parts: (any FileParts.Type)? {
    switch self {
    case .segment: SegmentParts.self
    case .manifest: ManifestParts.self
    case .journal: JournalParts.self
    case .lines, .text: nil
    }
  }
}

extension [[UInt8]] {
  /// The element that a number chooses.
  fileprivate func randomElement(_ number: UInt32) -> [UInt8]? {
    isEmpty ? nil : self[Int(number / 24) % count]
  }
}

/// What a target found that must never be.
package struct FuzzFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless something holds.
  static func unless(_ holds: Bool, _ what: @autoclosure () -> String) throws(FuzzFailure) {
    if !holds { throw FuzzFailure(what()) }
  }
}
