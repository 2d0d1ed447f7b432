// Lines of NDJSON as items.

internal import LimelightItems

/// The items of a text, with the numbers of their lines, and the lines that are none.
struct ItemLines {
  private(set) var items: [Item] = []
  /// The line of each item.
  private(set) var lineNumbers: [Int] = []
  private(set) var refused: [Refusal] = []

  /// Reads lines; texts of the attributes that the registry knows as dates are dates.
  init(
    _ bytes: [UInt8], firstLine: Int, options: LineOptions, registry: AttributeRegistry
  ) {
    let parser = ItemLineParser(
      options: JSONOptions(
        map: options.map, dates: options.dates.union(registry.customDates)))
    var number = firstLine
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      defer { number += 1 }
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      line.withUnsafeBytes { line in
        do throws(ItemError) {
          items.append(try parser.parse(line))
          lineNumbers.append(number)
        } catch {
          refused.append(
            Refusal(
              position: number - firstLine, line: number, id: parser.id(of: line), error: error))
        }
      }
    }
  }
}

extension Item {
  /// The item as a line of NDJSON without the newline; ``Batch/lines(_:firstLine:options:)`` takes it back.
  public func jsonLine() -> [UInt8] { ItemJSON.write(self) }
}
