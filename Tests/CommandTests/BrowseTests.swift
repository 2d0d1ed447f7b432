// limelight browse on a terminal: keys in, frames out, and the terminal as it was before.

import Foundation
import Testing

/// A pseudo-terminal with the command behind it.
private final class Screen {
  let process: Process
  private let master: Int32
  private let slave: Int32
  private(set) var text = ""
  private var unread: [UInt8] = []

  init(_ arguments: [String], rows: UInt16 = 24, columns: UInt16 = 80) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    try #require(openpty(&ends.master, &ends.slave, nil, nil, nil) == 0)
    (master, slave) = ends
    process = try Workspace.process(arguments)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.environment = ["TERM": "xterm"]
    resize(rows: rows, columns: columns)
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
    close(slave)
  }

  /// The modes of the terminal that raw input changes.
  func modes() throws -> [UInt32] {
    var settings = termios()
    try #require(tcgetattr(slave, &settings) == 0)
    return [settings.c_iflag, settings.c_oflag, settings.c_lflag]
  }

  func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Reads until the screen has said this since the last wait.
  func wait(for expected: String) throws {
    let deadline = Date().addingTimeInterval(20)
    while !text.contains(expected) {
      try #require(Date() < deadline, "no \(expected) in \(text.debugDescription)")
      readSome()
    }
    text = ""
  }

  /// Reads until the command has ended; gives its status, or minus the signal that ended it.
  func end() throws -> Int32 {
    let deadline = Date().addingTimeInterval(20)
    while process.isRunning {
      try #require(Date() < deadline)
      readSome()
    }
    process.waitUntilExit()
    readSome()
    let status = process.terminationStatus
    return process.terminationReason == .exit ? status : -status
  }

  private func readSome() {
    var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, 50) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &bytes, bytes.count)
    text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite struct BrowseTests {
  private let space: Workspace
  private static let leaving = "\u{1B}[?1049l"

  init() throws {
    space = try Workspace()
    try space.importLines(fewItems)
  }

  @Test func typingSearches() throws {
    let screen = try Screen(["browse", space.index])
    let before = try screen.modes()
    try screen.process.run()
    try screen.wait(for: "4 items: type to search")
    #expect(try screen.modes() != before)
    screen.type("cr")
    try screen.wait(for: "1 hit in ")
    screen.type("ème")
    try screen.wait(for: "\u{1B}[0;1;33mCrème\u{1B}[0;1m brûlée")
    screen.type("\u{15}coffee")
    try screen.wait(for: "3 hits in ")
    screen.type("\u{1B}[B\u{1B}[B\r")
    try screen.wait(for: "id: ")
    screen.type("\u{1B}")
    try screen.wait(for: "3 hits in ")
    screen.type("\u{1B}")
    #expect(try screen.end() == 0)
    #expect(screen.text.contains(Self.leaving))
    #expect(try screen.modes() == before)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalGivesTheTerminalBack(_ number: Int32) throws {
    let screen = try Screen(["browse", space.index, "coffee"])
    let before = try screen.modes()
    try screen.process.run()
    try screen.wait(for: "3 hits in ")
    kill(screen.process.processIdentifier, number)
    #expect(try screen.end() == -number)
    #expect(screen.text.contains(Self.leaving))
    #expect(try screen.modes() == before)
  }

  @Test func stoppingGivesTheTerminalBackUntilItGoesOn() throws {
    let screen = try Screen(["browse", space.index, "coffee"])
    let before = try screen.modes()
    try screen.process.run()
    try screen.wait(for: "3 hits in ")
    kill(screen.process.processIdentifier, SIGTSTP)
    try screen.wait(for: Self.leaving)
    let deadline = Date().addingTimeInterval(20)
    while try screen.modes() != before, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try screen.modes() == before)
    kill(screen.process.processIdentifier, SIGCONT)
    try screen.wait(for: "3 hits in ")
    #expect(try screen.modes() != before)
    screen.type("\u{3}")
    #expect(try screen.end() == 0)
    #expect(try screen.modes() == before)
  }

  @Test func controlCQuits() throws {
    let screen = try Screen(["browse", space.index, "coffee"])
    let before = try screen.modes()
    try screen.process.run()
    try screen.wait(for: "3 hits in ")
    screen.type("\u{3}")
    #expect(try screen.end() == 0)
    #expect(try screen.modes() == before)
  }

  @Test func anotherSizeIsFollowed() throws {
    let screen = try Screen(["browse", space.index, "日本語"])
    try screen.process.run()
    try screen.wait(for: "の本")
    // Six columns of title: two wide characters and the sign that something is left out.
    screen.resize(rows: 10, columns: 9)
    kill(screen.process.processIdentifier, SIGWINCH)
    try screen.wait(for: "日本\u{1B}[0;1m…")
    screen.type("\u{3}")
    #expect(try screen.end() == 0)
  }
}
