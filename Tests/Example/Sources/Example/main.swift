// A minute's use of Limelight from Swift; exits with 1 if an answer is not the one it should be.

import Limelight

/// Prints a line, and ends the program if something is not as it should be.
func expect(_ isRight: Bool, _ what: String) throws {
  print(isRight ? "ok   " : "WRONG", what)
  if !isRight { throw Wrong(what: what) }
}

struct Wrong: Error { let what: String }

let index = try Index.inMemory()
let receipt = try index.put([
  Item(
    id: "note/1", domain: "notes.travel",
    attributes: [
      .title: "Café de Flore", .textContent: "Coffee on the Boulevard Saint-Germain.",
      .keywords: ["Paris", "coffee"], .rating: 4.5,
    ]),
  Item(
    id: "note/2", domain: "notes.work",
    attributes: [.title: "Quarterly report", .textContent: "Coffee sales rose.", .rating: 2]),
  Item(id: "note/3", domain: "other", attributes: [.title: "Tea", .rating: "five"]),
])
try expect(receipt.put == 2 && receipt.refused.count == 1, "a bad item costs only itself")
try expect(
  receipt.refused.first?.error.attribute == "rating", "its refusal names the attribute")

let typed = try index.search("cafe flo")
try expect(try typed.map { try $0.id } == ["note/1"], "found while typing, without the accent")
let hit = try typed.first.map { try $0.highlights() } ?? []
try expect(hit.first?.ranges == [0..<5, 9..<14], "highlighted where the words stand")

try expect(try index.count(.phrase("boulevard saint")) == 1, "phrases")
try expect(try index.count("coffee -report") == 1, "exclusion")
try expect(try index.count("coffee", domain: "notes.work") == 1, "domains")
try expect(
  try index.search(.term("coffee") & .atLeast(.rating, 4)).total == 1, "numbers")
try expect(try index.count(.fuzzy("quartely")) == 1, "a letter missing")
try expect(try index.get("note/2")?.attributes[.title] == "Quarterly report", "items come back")

try index.delete(domain: "notes")
try expect(try index.count == 0, "deleted by domain")
