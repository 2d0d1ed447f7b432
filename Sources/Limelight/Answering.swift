// Answers of an index whose mapped files others may cut short: given only if the files were whole.

internal import LimelightIndexing

/// Runs a body that reads from a root, all of it or one of its views.
///
/// Bytes that a guarded map has lost read as zeros: whatever the body made of them, an answer or an
/// error, the error that names the file comes out. Costs nothing to speak of where maps are not guarded.
@inline(__always)
func reading<Result>(
  _ root: IndexRoot, view: Int? = nil, _ body: () throws -> Result
) throws -> Result {
  let result: Result
  do {
    result = try body()
  } catch {
    try check(root, view)
    throw error
  }
  try check(root, view)
  return result
}

/// The same with an error of the public type.
@inline(__always)
func publicly<Result>(
  reading root: IndexRoot, view: Int? = nil, _ body: () throws -> Result
) throws(LimelightError) -> Result {
  try publicly { try reading(root, view: view, body) }
}

@inline(__always)
private func check(_ root: IndexRoot, _ view: Int?) throws {
  if root.isGuarded { try checkGuarded(root, view) }
}

@inline(never)
private func checkGuarded(_ root: IndexRoot, _ view: Int?) throws {
  if let view { try root.checkMap(of: view) } else { try root.checkMaps() }
}
