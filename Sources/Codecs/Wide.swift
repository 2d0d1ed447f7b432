// Which of two ways through a loop this processor can take.

internal import CWide

/// Loops for processors with vectors of 64 bytes; each has a twin for all others next to its caller.
///
/// Asked once, when first needed. A process that has LIMELIGHT_PORTABLE in its environment uses the
/// twins alone.
package enum Wide {
  /// Whether the processor and the system have them.
  package static let isSupported = wide_is_supported() != 0
}
