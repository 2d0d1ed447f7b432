// Domains as byte strings whose order makes each domain with all below it one range.

/// The sort key of a domain.
///
/// The period becomes 0x01, below every byte that a domain may hold, so `a` stands directly
/// before `a.b` and both before `ab`: a domain and all that are below it are one range.
package enum DomainKey {
  /// The key of a domain; an empty key is that of no domain.
  package static func encode(_ domain: String) -> [UInt8] {
    domain.utf8.map { $0 == UInt8(ascii: ".") ? 0x01 : $0 }
  }

  /// The domain of a key, or nil when the bytes are not UTF-8.
  package static func decode(_ key: UnsafeBufferPointer<UInt8>) -> String? {
    String(validating: key.lazy.map { $0 == 0x01 ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
  }

  /// The range that holds a domain and all below it: `lower <= key < upper`.
  package static func range(of domain: String) -> (lower: [UInt8], upper: [UInt8]) {
    let key = encode(domain)
    return (key, key + [0x02])
  }

  /// Refuses what is no domain: empty, too long, an empty component, a control character.
  package static func validate(_ domain: String) throws(ItemError) {
    func refuse(_ message: String) -> ItemError {
      ItemError(.invalidDomain, attribute: "domain", message: message)
    }
    let length = domain.utf8.count
    guard length <= ItemLimits.domainBytes else {
      throw refuse("\(length) bytes, the limit is \(ItemLimits.domainBytes)")
    }
    var atComponentStart = true
    for byte in domain.utf8 {
      if byte == UInt8(ascii: ".") {
        guard !atComponentStart else { throw refuse("a component is empty") }
        atComponentStart = true
      } else {
        guard byte >= 0x20, byte != 0x7F else { throw refuse("holds a control character") }
        atComponentStart = false
      }
    }
    guard !atComponentStart else { throw refuse("a component is empty") }
  }
}
