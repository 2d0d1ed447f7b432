// Replaces documents one by one, each durable and then found; then deletes them.

internal import BenchmarkRunner
internal import Glibc
internal import Limelight

/// The update cycles of the harness.
struct Updates {
  private let index: Index
  private let documents: [Document]
  private let count: Int

  init(_ folder: String, _ tsv: String, _ count: Int) throws {
    index = try Index(folder)
    self.count = count
    let reader = try DocumentReader(tsv)
    var documents: [Document] = []
    while documents.count < count, let document = reader.next() { documents.append(document) }
    self.documents = documents
  }

  func run() throws {
    var isRight = true
    var cycles: [UInt64] = []
    for (number, document) in documents.enumerated() {
      let token = "uniquetoken\(number)x"
      let item = document.item(text: document.title + " " + document.body + " " + token)
      let start = nanoseconds()
      try index.put([item])
      isRight = try index.count(.term(token)) == 1 && isRight
      cycles.append(nanoseconds() - start)
    }
    let half = documents.count / 2
    let start = nanoseconds()
    try index.delete(ids: documents.prefix(half).map(\.id))
    let batch = nanoseconds() - start
    var single: [UInt64] = []
    for document in documents.dropFirst(half) {
      let start = nanoseconds()
      try index.delete(ids: [document.id])
      single.append(nanoseconds() - start)
    }
    emit([
      "cycle_ns": "[" + cycles.map(String.init).joined(separator: ",") + "]",
      "del_batch_ns": "\(batch)", "del_batch_n": "\(half)",
      "del_ns": "[" + single.map(String.init).joined(separator: ",") + "]",
      "ok": isRight ? "true" : "false", "docs_after": "\(try index.count)",
      "peak_rss_kb": "\(Memory.peakResident())",
    ])
    try index.close()
  }
}

/// Hands what was printed to the reader at once.
func flush() { fflush(nil) }
