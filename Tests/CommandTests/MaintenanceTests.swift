// limelight delete, stats, merge, verify and repair.

import Foundation
import Testing

@Suite struct MaintenanceTests {
  private let space: Workspace

  init() throws {
    space = try Workspace()
    try space.importLines(fewItems)
  }

  @Test func deleteTakesIdsDomainsOrAll() throws {
    let one = try space.run("delete", space.index, "2", "none", "--json")
    #expect(one.status == 0)
    #expect(try one.json()["deleted"] as? Int == 1)
    #expect(try space.run("delete", space.index, "none").status == 1)
    #expect(try space.run("search", space.index, "grinder").status == 1)
    #expect(
      try space.run("delete", space.index, "--domain", "notes").output == "deleted 1 item\n")
    #expect(try space.run("list", space.index).output == "3\n4\n")
    #expect(try space.run("delete", space.index, "--all").status == 0)
    #expect(try space.run("list", space.index).status == 1)
    #expect(try space.run("delete", space.index, "1", "--all").status == 2)
    #expect(try space.run("delete", space.index).status == 2)
  }

  @Test func statsCountItemsDomainsAndWords() throws {
    let result = try space.run("stats", space.index, "--json")
    let stats = try result.json()
    #expect(stats["items"] as? Int == 4)
    #expect(stats["deleted"] as? Int == 0)
    #expect(stats["analyzer"] as? String == "words")
    let domains = try #require(stats["domains"] as? [[String: Any]])
    #expect(domains.map { $0["domain"] as? String } == ["mail", "notes", "notes.work"])
    #expect(domains.map { $0["items"] as? Int } == [1, 1, 1])
    let attributes = try #require(stats["attributes"] as? [[String: Any]])
    let title = try #require(attributes.first { $0["name"] as? String == "title" })
    #expect(title["values"] as? Int == 3)
    #expect(title["tokens"] as? Int == 6)
    let segments = try #require(stats["segments"] as? [[String: Any]])
    for segment in segments {
      let sections = try #require(segment["sections"] as? [String: Int])
      #expect(!sections.isEmpty)
      #expect(try #require(segment["bytes"] as? Int) >= sections.values.reduce(0, +))
    }
    #expect(try space.run("stats", space.index).output.hasPrefix("4 items, 0 deleted"))
  }

  @Test func mergeLeavesOneSegmentAndTheSameAnswers() throws {
    for number in 0..<3 {
      try space.importLines(#"{"id":"m\#(number)","attributes":{"title":"coffee \#(number)"}}"#)
    }
    try #require(try space.run("delete", space.index, "2").status == 0)
    let before = try space.run("list", space.index, "--json").output
    let merged = try space.run("merge", space.index, "--json")
    #expect(merged.status == 0, "\(merged.errors)")
    let after = try #require(try merged.json()["after"] as? [String: Int])
    #expect(after["segments"] == 1)
    #expect(try space.run("list", space.index, "--json").output == before)
    let stats = try space.run("stats", space.index, "--json").json()
    #expect(stats["deleted"] as? Int == 0)
    #expect(stats["items"] as? Int == 6)
  }

  @Test func mergeCompactMakesOneSmallerSegmentAndTheSameAnswers() throws {
    let words = ["espresso", "ristretto", "cortado", "macchiato", "doppio", "lungo"]
    var state: UInt64 = 1
    let lines = (0..<300).map { number in
      let text = (0..<40).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return words[Int(state >> 33) % 6]
      }.joined(separator: " ")
      return #"{"id":"c\#(number)","attributes":{"title":"\#(text)"}}"#
    }
    try space.importLines(lines.joined(separator: "\n"))
    try #require(try space.run("merge", space.index).status == 0)
    let before = try space.run("list", space.index, "--json").output
    func found() throws -> NSArray {
      let hits = try space.run("search", space.index, "lungo", "--limit", "40", "--json").json()
      return try #require(hits["hits"] as? NSArray)
    }
    let hits = try found()
    let merged = try space.run("merge", space.index, "--compact", "--json").json()
    let sizes = try ["before", "after"].map { name in
      try #require((merged[name] as? [String: Int])?["bytes"])
    }
    #expect(sizes[1] < sizes[0])
    #expect((merged["after"] as? [String: Int])?["segments"] == 1)
    #expect(try space.run("list", space.index, "--json").output == before)
    #expect(try found() == hits)
    #expect(try space.run("verify", space.index).status == 0)
    #expect(try space.run("merge", space.index, "--compact").output.hasPrefix("merged 1 segment"))
    #expect(try space.run("merge", space.index, "--compact", "--reorder").status == 0)
    #expect(try space.run("list", space.index, "--json").output == before)
    #expect(try found() == hits)
    #expect(try space.run("verify", space.index).status == 0)
    let refused = try space.run("merge", space.index, "--compact", "--segments", "2")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--segments"))
  }

  @Test func verifyFindsDamage() throws {
    let whole = try space.run("verify", space.index, "--json")
    #expect(whole.status == 0)
    #expect(try whole.json()["ok"] as? Bool == true)
    #expect((try whole.json()["problems"] as? [Any])?.isEmpty == true)

    let files = try FileManager.default.contentsOfDirectory(atPath: space.index)
    let segment = try #require(files.first { $0.hasPrefix("segment.") })
    let path = space.index + "/" + segment
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 3] ^= 0x10
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try space.run("verify", space.index, "--json")
    #expect(damaged.status == 3)
    let report = try damaged.json()
    #expect(report["ok"] as? Bool == false)
    let problem = try #require((report["problems"] as? [[String: Any]])?.first)
    #expect(Set(problem.keys) == ["file", "section", "offset", "code", "message"])
    #expect(problem["code"] as? String == "damaged")
    #expect((problem["file"] as? String)?.contains(segment) == true)
  }

  @Test func repairKeepsWhatIsWhole() throws {
    let before = try space.run("list", space.index).output
    let whole = try space.run("repair", space.index)
    #expect(whole.status == 0)
    #expect(whole.output == "no problem found\n")

    let files = try FileManager.default.contentsOfDirectory(atPath: space.index)
    let segment = try #require(files.first { $0.hasPrefix("segment.") })
    let file = URL(fileURLWithPath: space.index + "/" + segment)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 3] ^= 0x10
    try bytes.write(to: file)
    let planned = try space.run("repair", space.index, "--dry-run", "--json")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try planned.json()["path"] is NSNull)
    #expect(try Data(contentsOf: file) == bytes)
    let copied = try space.run("repair", space.index, "--output", space.path("copy"))
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try space.run("list", space.path("copy")).output == before)
    #expect(try Data(contentsOf: file) == bytes)

    let repaired = try space.run("repair", space.index)
    #expect(repaired.status == 0, "\(repaired.errors)")
    #expect(repaired.output.contains("nothing is lost\n"))
    #expect(try space.run("verify", space.index).status == 0)
    #expect(try space.run("list", space.index).output == before)
    let old = space.index + ".before-repair/" + segment
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == bytes)
  }

  @Test func repairListsWhatIsLost() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: space.index)
    let segment = try #require(files.first { $0.hasPrefix("segment.") })
    try Data(count: 4096).write(to: URL(fileURLWithPath: space.index + "/" + segment))
    let result = try space.run("repair", space.index)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.contains("lost: 4 items of \(segment), whose ids are lost as well"))
    #expect(try space.run("verify", space.index).status == 0)
    let refused = try space.run("repair", space.index, "--output", space.folder.path)
    #expect(refused.status == 0, "an index that is whole is left alone")
  }

  @Test func aSoleWriterNeedsNoMoreThanTheOption() throws {
    try space.importLines("{\"id\":\"5\"}\n", "--sole-writer")
    for arguments in [["delete", "INDEX", "5"], ["merge", "INDEX"], ["repair", "INDEX"]] {
      let result = try space.run(
        arguments.map { $0 == "INDEX" ? space.index : $0 } + ["--sole-writer"])
      #expect(result.status == 0, "\(arguments): \(result.errors)")
    }
    #expect(try space.run("search", space.index, "tea", "--sole-writer").status == 2)
  }
}
