// Items as bytes, for the journal and for stored items: the layout and the writer.

/// The binary form of a checked item, version 1.
///
///     flags u8          1 domain, 2 content type, 4 expiration, 8 a thumbnail exists, 16 and is here
///     id                length varint, UTF-8; the domain and the content type alike
///     expiration        microseconds i64
///     count             varint, the number of values
///     directory         per value: number of the attribute varint, form u8, bytes varint
///     payloads          one after the other, in the order of the directory: short values first
///     thumbnail         length varint, bytes; last, so that readers of attributes never meet it
///
/// Payloads: texts, addresses and bytes as they are; a list of texts as count varint and per text
/// length varint, UTF-8; languages as count and per language tag and text; numbers as the bits of a
/// double, dates as microseconds i64, a boolean as one byte; persons as count and per person name
/// and list of handles; a dictionary as count and per entry, in the order of the names' bytes, name
/// and list of texts. Integers are little-endian.
package enum ItemCodec {
  /// What is written of a thumbnail.
  package enum ThumbnailForm {
    /// Nothing: the item reads as one without a thumbnail.
    case omitted
    /// That there is one, for stored items, whose thumbnails stand in files of their own.
    case flag
    /// Its bytes, for the journal.
    case bytes
  }

  /// How a value is written; the numbers are part of the file format.
  enum Form: UInt8 {
    case text = 1
    case texts, localized, number, bool, date, dates, url, data, persons, dictionary, contentType
  }

  enum Flag {
    static let domain: UInt8 = 1
    static let contentType: UInt8 = 2
    static let expiration: UInt8 = 4
    static let thumbnail: UInt8 = 8
    static let thumbnailBytes: UInt8 = 16
    static let known: UInt8 = 31
  }

  /// Appends an item; the same item always gives the same bytes.
  package static func encode(
    _ item: ResolvedItem, into bytes: inout [UInt8], thumbnail: ThumbnailForm = .omitted
  ) {
    let thumbnailBytes = thumbnail == .bytes ? item.thumbnail : nil
    var flags: UInt8 = 0
    if item.domain != nil { flags |= Flag.domain }
    if item.contentType != nil { flags |= Flag.contentType }
    if item.expiration != nil { flags |= Flag.expiration }
    if item.hasThumbnail, thumbnail != .omitted { flags |= Flag.thumbnail }
    if thumbnailBytes != nil { flags |= Flag.thumbnail | Flag.thumbnailBytes }
    bytes.append(flags)
    bytes.appendText(item.id)
    if let domain = item.domain { bytes.appendText(domain) }
    if let contentType = item.contentType { bytes.appendText(contentType) }
    if let expiration = item.expiration {
      bytes.appendWord(UInt64(bitPattern: expiration.microseconds))
    }
    bytes.appendVarint(UInt64(item.values.count))
    for (id, value) in item.values {
      bytes.appendVarint(UInt64(id))
      bytes.append(value.form.rawValue)
      bytes.appendVarint(UInt64(value.payloadCount))
    }
    for (_, value) in item.values { value.appendPayload(to: &bytes) }
    if let thumbnailBytes {
      bytes.appendVarint(UInt64(thumbnailBytes.count))
      bytes.append(contentsOf: thumbnailBytes)
    }
  }
}
