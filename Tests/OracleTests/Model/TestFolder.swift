// A folder of its own for an index, which goes when the test is over.

import Foundation

/// A folder that does not exist yet, under the system's temporary one.
final class TestFolder {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("limelight-oracle-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
