// A command line, read against the command's manual.

/// The operands and options of a call.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let manual: Manual

  /// Reads the words behind the command's name.
  ///
  /// Options may stand anywhere; `--` ends them; `-` alone is an operand.
  init(_ words: [String], _ manual: Manual) throws {
    self.manual = manual
    var rest = words[...]
    var optionsMayFollow = true
    while let word = rest.popFirst() {
      if optionsMayFollow, word == "--" {
        optionsMayFollow = false
      } else if optionsMayFollow, word == "-h" {
        values["help"] = []
      } else if optionsMayFollow, word.hasPrefix("-"), word != "-" {
        try read(word, &rest)
      } else {
        operands.append(word)
      }
    }
    if !has("help") { try checkOperands() }
  }

  private mutating func read(_ word: String, _ rest: inout ArraySlice<String>) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = manual.allOptions.first(where: { "--" + $0.name == parts[0] }) else {
      throw misuse("there is no option '\(parts[0])'")
    }
    guard option.repeats || !has(option.name) else {
      throw misuse("--\(option.name) stands twice")
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    guard let value = option.value else {
      guard attached == nil else { throw misuse("--\(option.name) takes no value") }
      values[option.name] = []
      return
    }
    guard let text = attached ?? rest.popFirst() else {
      throw misuse("--\(option.name) wants a value: --\(option.name) \(value)")
    }
    values[option.name, default: []].append(text)
  }

  private func checkOperands() throws {
    let wanted = manual.operands
    if operands.count < wanted.count, !wanted[operands.count].isOptional {
      throw misuse("\(wanted[operands.count].name) is missing")
    }
    if operands.count > wanted.count, wanted.last?.repeats != true {
      throw misuse("'\(operands[wanted.count])' is one argument too many")
    }
  }

  /// The error of this call, with the command's form behind it.
  func misuse(_ what: String) -> BenchmarkError {
    .misuse(
      "\(what)\nusage: \(manual.synopsis)\nmore:  limelight-bench \(manual.name) --help")
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, the last one of several; nil when it was not given.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an option that may stand several times.
  func values(_ name: String) -> [String] { values[name] ?? [] }

  /// The whole number that an option gives, or nil when it was not given.
  func number(_ name: String, from lowest: Int = 1, to highest: Int = .max) throws -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number >= lowest, number <= highest else {
      let bounds =
        highest == .max ? "of at least \(lowest)" : "from \(lowest) to \(highest)"
      throw misuse("--\(name) wants a whole number \(bounds), not '\(text)'")
    }
    return number
  }

  /// The seed that `--seed` gives, else 1.
  func seed() throws -> UInt64 {
    guard let text = value("seed") else { return 1 }
    guard let seed = UInt64(text) else {
      throw misuse("--seed wants a whole number from 0 to \(UInt64.max), not '\(text)'")
    }
    return seed
  }

  /// The commands that `--commands` lists; nil when it was not given.
  func commands() throws -> [SearchCommand]? {
    guard let text = value("commands") else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
    return try names.map { name in
      guard let command = SearchCommand(rawValue: String(name)) else {
        let all = SearchCommand.allCases.map(\.rawValue).joined(separator: ", ")
        throw misuse("there is no command '\(name)'; there are: \(all)")
      }
      return command
    }
  }
}
