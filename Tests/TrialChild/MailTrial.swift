// How much room an index of mail takes beside the mail.

import Limelight

enum MailTrial {
  private static let names = [
    "Ada Lovelace", "Charles Babbage", "Grace Hopper", "Alan Turing", "Emmy Noether",
    "Sophie Germain", "Leonhard Euler", "Hedy Lamarr",
  ]

  /// Loads mail of so many bytes with its headers and without storing items; the index, positions included,
  /// must take less than 0.6 of that.
  ///
  /// Arguments: folder, bytes of mail.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let size = Int(arguments[1]) else {
      throw TrialFailure("folder, bytes")
    }
    let index = try Index(arguments[0], options: IndexConfiguration(storesItems: false))
    var chance = TrialChance(5)
    var bytes = 0
    var number = 0
    let report = try index.load {
      guard bytes < size else { return nil }
      var batch: [Item] = []
      for _ in 0..<200 {
        batch.append(mail(number, &chance, &bytes))
        number += 1
      }
      return .items(batch)
    }
    try index.merge()
    guard report.refused.isEmpty, try index.count(.phrase("kind regards")) == number else {
      throw TrialFailure("\(report.refused.count) refused")
    }
    try index.close()
    let disk = try TrialModel.size(arguments[0])
    let ratio = Double(disk) / Double(bytes)
    let percent = Int((ratio * 100).rounded())
    tell("mail: \(number) letters of \(bytes) bytes, index \(disk) bytes, \(percent) %")
    guard ratio < 0.6 else { throw TrialFailure("the index takes \(percent) % of the mail") }
  }

  /// A letter, whose bytes are counted as they stand in a mailbox.
  private static func mail(_ number: Int, _ chance: inout TrialChance, _ bytes: inout Int) -> Item {
    let sender = names[chance.below(names.count)]
    let other = names[chance.below(names.count)]
    let headers: [String: [String]] = [
      "Message-ID": ["<\(number).\(chance.below(1 << 30))@example.org>"],
      "Received": ["from mx\(chance.below(9)).example.org by mail.example.org; id \(number)"],
      "Date": ["Mon, \(1 + chance.below(28)) Nov 2026 10:\(10 + chance.below(50)):00 +0000"],
      "MIME-Version": ["1.0"], "Content-Type": ["text/plain; charset=utf-8"],
    ]
    let subject = MemoryTrial.text(30 + chance.below(30), &chance)
    let quoted = chance.below(3) == 0 ? "\nOn Monday \(other) wrote:\n> " : ""
    let body =
      "Dear \(other),\n" + MemoryTrial.text(400 + chance.below(3000), &chance)
      + (quoted.isEmpty ? "" : quoted + MemoryTrial.text(400, &chance)) + "\nKind regards,\n"
      + sender
    var item = Item(id: "m\(number)", domain: "mail.box\(number % 12)")
    item.attributes[.subject] = .text(subject)
    item.attributes[.textContent] = .text(body)
    item.attributes[.authors] = .persons([person(sender)])
    item.attributes[.primaryRecipients] = .persons([person(other)])
    item.attributes[.emailHeaders] = .dictionary(headers)
    bytes += subject.utf8.count + body.utf8.count + 80
    for (name, values) in headers { bytes += name.utf8.count + values[0].utf8.count + 4 }
    return item
  }

  private static func person(_ name: String) -> Person {
    let address = name.lowercased().split(separator: " ").joined(separator: ".")
    return Person(displayName: name, handles: [address + "@example.org"])
  }
}
