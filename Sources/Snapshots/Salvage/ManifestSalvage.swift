// ManifestSalvage: the newest manifest of a damaged folder that can be believed.
internal import LimelightCodecs
package import LimelightStorage

/// A manifest, and what is wrong with those that should have been taken instead.
package struct SalvagedManifest: Sendable {
  package let manifest: Manifest
  package let damages: [SnapshotError]
  /// No manifest of the folder has a higher number.
  package let highestNumber: UInt64
  /// A number above those of all other files.
  package let nextFile: UInt64

  /// Finds the newest whole manifest.
  ///
  /// One of which a single bit was flipped counts as whole: the checksum tells which. Without any,
  /// the index cannot be put together: nothing else says which items of the segments were deleted,
  /// what their custom attributes are called and where the journal goes on.
  package static func newest(in folder: Folder) throws(SnapshotError) -> SalvagedManifest {
    let contents = try FolderContents(of: folder)
    let numbers = contents.files.filter { $0.kind == .manifest && !$0.isPartial }.map(\.number)
    guard let highest = numbers.max() else {
      guard let file = contents.files.map(\.description).min() else {
        throw SnapshotError(.noIndex, file: "", "there is no index in \(folder.path)")
      }
      throw .damaged(file, at: 0, "the file is there, but no manifest")
    }
    var damages: [SnapshotError] = []
    for number in numbers.sorted(by: >) {
      do throws(SnapshotError) {
        let manifest = try read(number, in: folder, &damages)
        return SalvagedManifest(
          manifest: manifest, damages: damages, highestNumber: highest,
          nextFile: max(manifest.nextFile, contents.nextFile))
      } catch {
        guard error.kind != .newerFormat, error.kind != .olderFormat else { throw error }
        damages.append(error)
      }
    }
    throw damages[0]
  }

  private static func read(
    _ number: UInt64, in folder: Folder, _ damages: inout [SnapshotError]
  ) throws(SnapshotError) -> Manifest {
    let name = FileNames.manifest(number)
    var bytes = try storing(name) { () throws(StorageError) in try folder.read(name) }
    do throws(SnapshotError) {
      return try decode(bytes, number)
    } catch {
      // Under a checksum that matches, an error is what it says it is.
      guard bytes.count > 8, !isSealed(bytes),
        FlippedBit.mend(&bytes, 0..<bytes.count - 8, checksum: bytes.count - 8)
      else {
        let isOfAnotherVersion = error.kind == .newerFormat || error.kind == .olderFormat
        guard isOfAnotherVersion, bytes.count > 8, !isSealed(bytes) else { throw error }
        throw .damaged(name, at: 0, "the checksum does not match")
      }
      let manifest = try decode(bytes, number)
      damages.append(
        .damaged(name, at: error.offset ?? 0, "one bit was flipped: \(error.message)"))
      return manifest
    }
  }

  private static func isSealed(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, bytes.count > 8 else { return false }
      let end = bytes.count - 8
      return XXH64.hash(base, end)
        == UInt64(littleEndian: base.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    }
  }

  private static func decode(_ bytes: [UInt8], _ number: UInt64) throws(SnapshotError) -> Manifest {
    var failure: SnapshotError?
    let manifest = bytes.withUnsafeBytes { bytes -> Manifest? in
      do throws(SnapshotError) {
        return try Manifest(decoding: bytes, number: number)
      } catch {
        failure = error
        return nil
      }
    }
    if let manifest { return manifest }
    throw failure ?? .damaged(FileNames.manifest(number), at: 0, "cannot be read")
  }
}

extension SideFile {
  /// The dictionary in the bytes of its file, also when one bit of them was flipped.
  package func salvagedDictionary(
    in file: [UInt8]
  ) throws(SnapshotError) -> (bytes: [UInt8], damage: SnapshotError?) {
    do throws(SnapshotError) {
      return (try dictionary(in: file), nil)
    } catch {
      var mended = file
      let checksum = Self.headerSize - 8
      guard [.damaged, .newerFormat, .olderFormat].contains(error.kind),
        file.count > Self.headerSize,
        FlippedBit.mend(&mended, 0..<checksum, checksum: checksum),
        FlippedBit.mend(
          &mended, Self.headerSize..<mended.count, checksum: Self.headerSize - 16)
      else {
        guard error.kind != .damaged, !isSealed(file) else { throw error }
        throw .damaged(error.file, at: 0, "the header's checksum does not match")
      }
      return (try dictionary(in: mended), error)
    }
  }
}
