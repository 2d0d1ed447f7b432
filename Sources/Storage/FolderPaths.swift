// FolderPaths: folders as wholes - whether they are there, swapped, taken away.
internal import CSystem
internal import Glibc

/// What is done with the folder of an index from outside, by its path.
package enum FolderPaths {
  /// Whether anything bears that name, a link that leads nowhere included.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return path.withCString { text in systemCall { lstat(text, &status) } } >= 0
  }

  /// Swaps two folders of one file system in one step, and makes that durable.
  ///
  /// At every moment there is one of them under each name. A file system that cannot do that gives
  /// `.invalid`, and nothing has changed.
  package static func exchange(_ first: String, _ second: String) throws(StorageError) {
    guard !first.utf8.contains(0), !second.utf8.contains(0) else {
      throw StorageError(.invalid, "rename", first, code: EINVAL)
    }
    let code = first.withCString { first in
      second.withCString { second in systemCall { csystem_exchange(first, second) } }
    }
    if code == -Int(ENOSYS) || code == -Int(EXDEV) || code == -Int(EBUSY) {
      throw StorageError(.invalid, "rename", first, code: Int32(truncatingIfNeeded: -code))
    }
    try check(code, "rename", first)
    for path in [first, second] {
      try Folder.open(path: Directory.parent(of: path), create: false).sync()
    }
  }

  /// Removes an empty folder.
  package static func removeEmpty(_ path: String) throws(StorageError) {
    try check(path.withCString { text in systemCall { rmdir(text) } }, "rmdir", path)
  }

  /// The path with something behind its last name, a sibling; nil if the path ends in no name.
  package static func sibling(of path: String, suffix: String) -> String? {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    let name = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty, name != ".", name != ".." else { return nil }
    return text + suffix
  }
}
