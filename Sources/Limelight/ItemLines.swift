// Lines of NDJSON as items.

internal import LimelightItems

/// The items of a text, with the numbers of their lines, and the lines that are none.
struct ItemLines {
  private(set) var items: [Item] = []
  /// The line of each item.
  private(set) var lineNumbers: [Int] = []
  private(set) var refused: [Refusal] = []

  init(_ bytes: [UInt8], firstLine: Int, options: LineOptions) {
    let options = JSONOptions(map: options.map, dates: options.dates)
    var number = firstLine
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      defer { number += 1 }
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      line.withUnsafeBytes { line in
        do throws(ItemError) {
          items.append(try ItemJSON.parseLine(line, options: options))
          lineNumbers.append(number)
        } catch {
          refused.append(
            Refusal(position: number - firstLine, line: number, id: nil, error: error))
        }
      }
    }
  }
}

extension Item {
  /// The item as a line of NDJSON without the newline; ``Batch/lines(_:firstLine:options:)`` takes it back.
  public func jsonLine() -> [UInt8] { ItemJSON.write(self) }
}
