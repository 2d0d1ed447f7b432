// Ids for items that come without one.

internal import LimelightStorage

/// Makes ids: random UUIDs of version 4 (RFC 9562), in upper case as Core Spotlight writes them.
package enum ItemID {
  package static func make() -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (place, byte) in Randomness.uuid().enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
