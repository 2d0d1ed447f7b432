// The line in which a person types, with a cursor.

/// A text that is edited character by character.
struct QueryLine {
  private var before: [Character] = []
  private var after: [Character] = []

  /// What was typed.
  var text: String { String(before + after) }

  /// The part of the text before the cursor.
  var head: String { String(before) }

  init(_ text: String = "") {
    before = Array(text)
  }

  /// Follows a key; false when the key has nothing to do with editing.
  mutating func edit(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(character)
    case .backspace: _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .deleteWord: deleteWord()
    case .deleteLine: before = []
    case .left: if let last = before.popLast() { after.insert(last, at: 0) }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home:
      after = before + after
      before = []
    case .end:
      before += after
      after = []
    default: return false
    }
    return true
  }

  /// Joins what belongs to the character before it, such as an accent, with that one.
  private mutating func insert(_ character: Character) {
    let last = before.popLast().map(String.init) ?? ""
    before += Array(last + String(character))
  }

  private mutating func deleteWord() {
    while before.last?.isWhitespace == true { before.removeLast() }
    while let last = before.last, !last.isWhitespace { before.removeLast() }
  }
}
