// Versions, capabilities, attributes, statuses, and the last error.

public import CLimelight
internal import Limelight
internal import LimelightItems

@_cdecl("lime_version") @implementation
public func lime_version() -> UInt32 { UInt32(LIME_VERSION) }

@_cdecl("lime_version_text") @implementation
public func lime_version_text() -> UnsafePointer<CChar>? { Library.version.pointer }

@_cdecl("lime_capabilities") @implementation
public func lime_capabilities() -> UnsafePointer<CChar>? { Library.capabilities.pointer }

@_cdecl("lime_attributes") @implementation
public func lime_attributes() -> UnsafePointer<CChar>? { Library.attributes.pointer }

@_cdecl("lime_status_name") @implementation
public func lime_status_name(_ status: lime_status) -> UnsafePointer<CChar>? {
  LastError.chars(status.name)
}

@_cdecl("lime_last_error") @implementation
public func lime_last_error() -> UnsafePointer<CChar>? { LastError.message }

@_cdecl("lime_last_error_json") @implementation
public func lime_last_error_json() -> UnsafePointer<CChar>? { LastError.json }

/// What is known about the library as such, as texts that live as long as the process.
enum Library {
  /// Bytes that stay until the process ends.
  struct Kept: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>

    init(_ bytes: [UInt8]) {
      let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (offset, byte) in bytes.enumerated() { place[offset] = CChar(bitPattern: byte) }
      place[bytes.count] = 0
      pointer = UnsafePointer(place)
    }
  }

  private static var versionText: String {
    let number = UInt32(LIME_VERSION)
    return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }

  static let version = Kept(Array(versionText.utf8))

  static let capabilities: Kept = {
    var json = JSONText()
    json.object { json in
      json.member("version") { $0.text(versionText) }
      json.member("analyzers") {
        $0.array(of: Analyzer.allCases) { json, analyzer in
          json.object { json in
            json.member("name") { $0.text(analyzer.rawValue) }
            json.member("version") { $0.number(Int(analyzer.version)) }
          }
        }
      }
      json.member("features") {
        $0.array(of: features) { $0.text($1) }
      }
      json.member("limits") {
        $0.object { json in
          for (name, limit) in limits { json.member(name) { $0.number(limit) } }
        }
      }
    }
    return Kept(json.bytes)
  }()

  private static let features = [
    "files", "memory", "load", "typedText", "term", "prefix", "phrase", "fuzzy", "boolean", "range",
    "domain", "weights", "cancellation", "highlights", "customAttributes", "verify",
    "repair",
  ]

  private static let limits = [
    ("idBytes", ItemLimits.idBytes), ("domainBytes", ItemLimits.domainBytes),
    ("customNameBytes", ItemLimits.customNameBytes),
    ("customAttributes", ItemLimits.customAttributes),
    ("thumbnailBytes", ItemLimits.thumbnailBytes), ("itemBytes", ItemLimits.itemBytes),
    ("queryDepth", Query.maximumDepth), ("queryNodes", QueryObject.nodeLimit),
    ("fuzzyDistance", 2), ("handles", 1 << 24),
  ]

  static let attributes: Kept = {
    var json = JSONText()
    json.array(of: AttributeTable.builtIn) { json, attribute in
      json.object { json in
        json.member("name") { $0.text(attribute.name) }
        json.member("kind") { $0.text("\(attribute.kind)") }
        json.member("searchClass") { $0.text("\(attribute.searchClass)") }
        json.member("category") { $0.text(attribute.category) }
        json.member("meaning") { $0.text(attribute.meaning) }
        json.member("unit") { $0.text(attribute.unit) }
        json.member("aliases") { $0.array(of: attribute.aliases) { $0.text($1) } }
      }
    }
    return Kept(json.bytes)
  }()
}
