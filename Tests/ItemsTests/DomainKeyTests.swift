// Domains as ranges of their keys.

import LimelightItems
import Testing

@Suite struct DomainKeyTests {
  @Test func aDomainTakesWhatIsBelowItAndNothingElse() {
    func inside(_ domain: String, _ other: String) -> Bool {
      let (lower, upper) = DomainKey.range(of: domain)
      let key = DomainKey.encode(other)
      return !key.lexicographicallyPrecedes(lower) && key.lexicographicallyPrecedes(upper)
    }
    for other in ["a", "a.b", "a.b.c", "a.é", "a.~"] { #expect(inside("a", other)) }
    for other in ["ab", "a-b", "a b", "b", "b.a", "", "A", "a!"] { #expect(!inside("a", other)) }
    #expect(inside("a.b", "a.b.c"))
    #expect(!inside("a.b", "a"))
    #expect(!inside("a.b", "a.bc"))
  }

  @Test func keysComeBackAsDomains() {
    for domain in ["a", "mail.inbox", "x.é.漢"] {
      #expect(DomainKey.encode(domain).withUnsafeBufferPointer(DomainKey.decode) == domain)
    }
    #expect([0xFF].withUnsafeBufferPointer(DomainKey.decode) == nil)
  }

  @Test func refusesWhatIsNoDomain() {
    let bad = ["", ".", "a.", ".a", "a..b", "a\nb", "a\u{1}b", "\u{7F}"]
    for domain in bad + [String(repeating: "a", count: ItemLimits.domainBytes + 1)] {
      let error = #expect(throws: ItemError.self) { try DomainKey.validate(domain) }
      #expect(error?.code == .invalidDomain)
      #expect(error?.attribute == "domain")
    }
    let longest = String(repeating: "a", count: ItemLimits.domainBytes)
    for domain in ["a", "mail.inbox", "a b.c-d", longest] {
      #expect(throws: Never.self) { try DomainKey.validate(domain) }
    }
  }
}
