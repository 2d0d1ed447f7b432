// limelight import, list and get: lines in, the same lines out.

import Foundation
import Testing

@Suite struct ImportTests {
  /// One item of every kind of value.
  private static let kinds = #"""
    {"id":"a","domain":"x.y","contentType":"public.jpeg","expirationDate":"2099-01-01T00:00:00Z","thumbnail":"AAEC/w==","attributes":{"title":{"en":"Tea","fr":"Thé"},"displayName":"quote \" slash \\ newline \n","keywords":["one","two"],"rating":4.5,"isPriority":true,"contentCreationDate":"2026-03-01T10:00:00.250Z","importantDates":["1950-01-01T00:00:00Z","2026-01-01T00:00:00Z"],"url":"https://example.org/?q=1","authors":[{"displayName":"Ada","handles":["ada@example.org"]}],"own text":"mine","own number":7,"own flag":false,"birthday":"1815-12-10T00:00:00Z"}}
    {"id":"b","attributes":{"textContent":["first","second"]}}
    {"id":"日本 语","domain":"x","attributes":{"title":"Ünïcödé 🦊"}}

    """#

  @Test(arguments: [[], ["--bulk"], ["--threads", "2"]])
  func roundTrip(_ options: [String]) throws {
    let space = try Workspace()
    let declare = ["--attribute", "birthday:date", "--json"]
    let first = try space.run(
      ["import", space.index, "-"] + declare + options, input: Self.kinds)
    #expect(first.status == 0, "\(first.errors)")
    let listed = try space.run("list", space.index, "--json")
    #expect(listed.status == 0)
    #expect(try listed.jsonLines().map { $0["id"] as? String } == ["a", "b", "日本 语"])

    let copy = space.path("copy.index")
    let second = try space.run(
      ["import", copy, "-"] + declare + options, input: listed.output)
    #expect(second.status == 0, "\(second.errors)")
    #expect(try space.run("list", copy, "--json").output == listed.output)

    let a = try #require(try listed.jsonLines().first)
    let original = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.kinds.split(separator: "\n")[0].utf8))
        as? [String: Any])
    #expect(NSDictionary(dictionary: a) == NSDictionary(dictionary: original))
    let got = try space.run("get", space.index, "a")
    #expect(got.output == listed.output.split(separator: "\n")[0] + "\n")
  }

  @Test(arguments: [[], ["--bulk"], ["--threads", "2"]])
  func reportNamesWhatWasRefused(_ options: [String]) throws {
    let space = try Workspace()
    let lines = """
      {"id":"good","attributes":{"title":"fine"}}

      {"id":"bad","attributes":{"rating":"many"}}
      not json
      {"attributes":{"title":"no id"}}
      {"attributes":{"title":5},"id":"late"}
      """
    let result = try space.run(["import", space.index, "-", "--json"] + options, input: lines)
    #expect(result.status == 1)
    let report = try result.json()
    #expect(Set(report.keys) == ["lines", "put", "refused", "seconds"])
    #expect(report["lines"] as? Int == 5)
    #expect(report["put"] as? Int == 2)
    #expect(report["seconds"] is Double)
    let refused = try #require(report["refused"] as? [[String: Any]])
    try #require(refused.count == 3)
    #expect(Set(refused[0].keys) == ["line", "id", "attribute", "code", "message"])
    #expect(refused[0]["line"] as? Int == 3)
    #expect(refused[0]["id"] as? String == "bad")
    #expect(refused[0]["attribute"] as? String == "rating")
    #expect(refused[0]["code"] as? String == "wrongKind")
    #expect(refused[1]["line"] as? Int == 4)
    #expect(refused[1]["code"] as? String == "invalidJSON")
    #expect(refused[1]["id"] is NSNull)
    #expect(refused[2]["line"] as? Int == 6)
    #expect(refused[2]["id"] as? String == "late")
    let plain = try space.run(["import", space.index, "-"] + options, input: lines)
    #expect(plain.errors.contains("-:3: bad: rating: "))
    #expect(plain.errors.contains("-:6: late: title: "))
    #expect(try space.run("list", space.index).output.split(separator: "\n").count == 3)
  }

  @Test func refusedLinesOfSeveralFilesNameTheFile() throws {
    let space = try Workspace()
    let first = try space.file("first.ndjson", "{\"id\":\"1\"}\n{\"id\":\"2\"}")
    let second = try space.file("second.ndjson", "{\"id\":\"3\"}\nnonsense\n")
    let result = try space.run("import", space.index, first, second, "--json")
    #expect(result.status == 1)
    let refused = try #require(try result.json()["refused"] as? [[String: Any]])
    #expect(refused.count == 1)
    #expect(refused.first?["file"] as? String == second)
    #expect(refused.first?["line"] as? Int == 2)
    let plain = try space.run("import", space.index, first, second)
    #expect(plain.errors.contains("second.ndjson:2:"))
    #expect(plain.output.hasPrefix("imported 3 items in "))
  }

  @Test func flatLinesAreMapped() throws {
    let space = try Workspace()
    try space.importLines(
      #"{"key":"7","title":"Tea","body":"Leaves in water","junk":{"deep":[1]}}"#,
      "--map", "body=textContent", "--map=key=id", "--map", "junk=")
    let item = try #require(try space.run("get", space.index, "7").jsonLines().first)
    let attributes = item["attributes"] as? [String: String]
    #expect(attributes == ["title": "Tea", "textContent": "Leaves in water"])
  }

  @Test func declaredAttributesTakeTheirKind() throws {
    let space = try Workspace()
    try space.importLines(
      #"{"id":"1","attributes":{"born":0,"motto":"carpe diem","size":3}}"#,
      "--attribute", "born:date", "--attribute", "motto:text:default", "--attribute", "size:number")
    #expect(try space.run("search", space.index, "carpe").status == 0)
    #expect(try space.run("search", space.index, "--range", "size:2..4").status == 0)
    #expect(try space.run("search", space.index, "--range", "size:4..").status == 1)
    #expect(try space.run("search", space.index, "--range", "born:..1970-01-02").status == 0)
    let wrong = try space.run(
      "import", space.index, "-", input: #"{"id":"2","attributes":{"size":"large"}}"#)
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("size"))
  }

  @Test func anIndexWithoutItemsGivesOnlyIds() throws {
    let space = try Workspace()
    try space.importLines(fewItems, "--no-store", "--analyzer", "runs")
    let found = try space.run("search", space.index, "coffee", "--json").json()
    #expect(found["count"] as? Int == 3)
    let hits = try #require(found["hits"] as? [[String: Any]])
    #expect(hits.allSatisfy { Set($0.keys) == ["id", "domain", "score"] })
    #expect(try space.run("search", space.index, "coffee").status == 0)
    #expect(try space.run("get", space.index, "1").status == 2)
    #expect(try space.run("list", space.index).output == "1\n2\n3\n4\n")
  }

  @Test func linesOfAllLengthsAndEndsAreTaken() throws {
    let space = try Workspace()
    let long = String(repeating: "long ", count: 1_000_000)
    let lines =
      "\u{FEFF}{\"id\":\"1\"}\r\n\r\n{\"id\":\"2\",\"attributes\":{\"title\":\"\(long)\"}}\n"
      + "{\"id\":\"3\",\"attributes\":{\"title\":\"last\"}}"
    try space.importLines(lines)
    #expect(try space.run("list", space.index).output == "1\n2\n3\n")
    #expect(try space.run("search", space.index, "last").status == 0)
  }
}
