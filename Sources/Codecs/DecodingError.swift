// The one way in which decoders say that bytes are not what they should be.

/// Bytes that cannot be what the format says.
///
/// It knows the place within the decoded buffer only; whoever owns the buffer adds the file and the
/// section.
@usableFromInline
package struct DecodingError: Error, CustomStringConvertible {
  /// What was found to be wrong, in a few words.
  package let what: StaticString
  /// The offset in the decoded buffer.
  package let offset: Int

  /// The only maker of these errors: a breakpoint here sees each format violation.
  @usableFromInline
  @inline(never)
  package static func corrupt(_ what: StaticString, at offset: Int) -> DecodingError {
    DecodingError(what: what, offset: offset)
  }

  @usableFromInline
  package var description: String { "corrupt data at offset \(offset): \(what)" }
}
