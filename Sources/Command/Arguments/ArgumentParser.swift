// Command lines read against a manual, with errors that say what would be right.

/// Reads the arguments of one subcommand.
///
/// Options may stand anywhere; `--` ends them; `-` alone is an operand. Where the manual says so,
/// a word with one dash is an operand too: `search` takes `-word` as an exclusion.
struct ArgumentParser {
  let manual: Manual

  func parse(_ words: [String]) throws(Failure) -> Arguments {
    var arguments = Arguments()
    var rest = words[...]
    var optionsMayFollow = true
    while let word = rest.popFirst() {
      if optionsMayFollow, word == "--" {
        optionsMayFollow = false
      } else if optionsMayFollow, word == "-h" {
        arguments.set(.help, to: nil)
      } else if optionsMayFollow, word.hasPrefix("--") {
        try parseOption(word.dropFirst(2), rest: &rest, into: &arguments)
      } else if optionsMayFollow, word.hasPrefix("-"), word != "-", !manual.takesDashedWords {
        throw usage("unknown option '\(word)'; options are written out, such as --json")
      } else {
        arguments.operands.append(word)
      }
    }
    if !arguments.has(.help) { try check(arguments.operands) }
    return arguments
  }

  private func parseOption(
    _ word: Substring, rest: inout ArraySlice<String>, into arguments: inout Arguments
  ) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = manual.allOptions.first(where: { $0.name == name }) else {
      throw unknown(name)
    }
    guard option.repeats || !arguments.has(option) else {
      throw usage("--\(name) stands twice")
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    switch option.takes {
    case .nothing:
      guard attached == nil else { throw usage("--\(name) takes no value") }
      arguments.set(option, to: nil)
    case .optionalValue:
      arguments.set(option, to: attached)
    case .value(let meaning):
      guard let value = attached ?? rest.popFirst() else {
        throw usage("--\(name) wants a value: --\(name) \(meaning)")
      }
      arguments.set(option, to: value)
    }
  }

  private func check(_ operands: [String]) throws(Failure) {
    let wanted = manual.operands
    if operands.count < wanted.count, !wanted[operands.count].isOptional {
      throw usage("\(wanted[operands.count].name) is missing")
    }
    let last = wanted.last
    if operands.count > wanted.count, last?.repeats != true {
      throw usage("'\(operands[wanted.count])' is one argument too many")
    }
  }

  private func unknown(_ name: String) -> Failure {
    let question = Spelling.question(
      about: name, in: manual.allOptions.map(\.name), dashes: "--")
    return usage("unknown option '--\(name)'\(question)")
  }

  private func usage(_ message: String) -> Failure {
    .usage(message, hint: "usage: \(manual.synopsis)\nmore:  limelight \(manual.name) --help")
  }
}
