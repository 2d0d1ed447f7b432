// Search-as-you-type: keys in, searches, frames out.

internal import Glibc
internal import Limelight

/// The loop of `limelight browse`.
///
/// The terminal is given back on every way out: quitting, an error, a signal that ends or stops
/// the process. Signals arrive as bytes at a pipe (`SignalPipe`), so this loop is the only one
/// that touches the terminal.
struct Browser {
  private let index: Index
  private let domain: String?
  private let signals: SignalPipe
  private var terminal: RawTerminal
  private var screen: BrowseScreen
  private var keys = KeyReader()
  /// The hits on the screen, how many there are before them, and how many in all.
  private var hits: [Hit] = []
  private var first = 0
  private var total = 0
  private var pageLines: [String] = []
  private var pageStart = 0
  private var isOver = false

  /// Bytes of an escape sequence follow each other faster than this.
  private static let escapeWait: Int32 = 30  // milliseconds

  init(
    _ index: Index, domain: String?, text: String, terminal: RawTerminal, signals: SignalPipe
  ) {
    self.index = index
    self.domain = domain
    self.terminal = terminal
    self.signals = signals
    screen = BrowseScreen(size: .current(STDOUT_FILENO))
    screen.line = QueryLine(text)
  }

  /// Runs until the person has enough.
  mutating func run() throws {
    terminal.enter()
    defer { terminal.leave() }
    try search()
    draw()
    while !isOver {
      try wait()
    }
  }

  /// Waits for keys or a signal, and follows them.
  private mutating func wait() throws {
    var sources = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&sources, nfds_t(sources.count), keys.isWaiting ? Self.escapeWait : -1)
    if sources[1].revents != 0 {
      for number in signals.read() { try follow(signal: number) }
    }
    if sources[0].revents != 0 {
      try readKeys()
    } else if count == 0 {
      try follow(keys.finish())
    }
  }

  private mutating func readKeys() throws {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 {
      try follow(keys.keys(bytes.prefix(count)))
    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
      isOver = true
    }
  }

  private mutating func follow(signal number: Int32) throws {
    switch number {
    case SIGWINCH, SIGCONT:
      if !terminal.isEntered || number == SIGCONT { terminal.enter() }
      screen.size = .current(STDOUT_FILENO)
      if screen.page != nil { try showItem() }
      try search()
      draw()
    case SIGTSTP:
      suspend()
    default:
      terminal.leave()
      signals.die(of: number)
    }
  }

  /// Stops the process until the shell lets it go on, which arrives as a signal again.
  private mutating func suspend() {
    terminal.leave()
    kill(getpid(), SIGSTOP)
  }

  /// Follows keys that arrived together; searches once for all of them.
  private mutating func follow(_ keys: [Key]) throws {
    var textChanged = false
    var needsSearch = false
    for key in keys where !isOver {
      if screen.page == nil, screen.line.edit(key) {
        textChanged = true
      } else {
        needsSearch = try follow(key) || needsSearch
      }
    }
    if textChanged { (first, screen.chosen) = (0, nil) }
    if textChanged || needsSearch { try search() }
    if !isOver, terminal.isEntered, !keys.isEmpty { draw() }
  }

  /// Follows a key that does not edit; true when other hits are wanted.
  private mutating func follow(_ key: Key) throws -> Bool {
    let isPage = screen.page != nil
    let step = isPage ? BrowseScreen.pageCount(screen.size) : BrowseScreen.rowCount(screen.size)
    switch key {
    case .interrupt, .endOfInput: isOver = true
    case .escape: if isPage { screen.page = nil } else { isOver = true }
    case .backspace, .left: if isPage { screen.page = nil }
    case .enter: if isPage { screen.page = nil } else { try showItem() }
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .pageUp: return move(by: -step)
    case .pageDown: return move(by: step)
    case .suspend: suspend()
    default: break
    }
    return false
  }

  /// Moves the choice, or the lines of the item; true when the list has to move with it.
  private mutating func move(by distance: Int) -> Bool {
    if screen.page != nil {
      pageStart = max(
        0, min(pageStart + distance, pageLines.count - BrowseScreen.pageCount(screen.size)))
      screen.page = Array(pageLines.dropFirst(pageStart))
      return false
    }
    guard total > 0 else { return false }
    let place = screen.chosen.map { first + $0 + distance } ?? 0
    let target = max(0, min(place, total - 1))
    let count = BrowseScreen.rowCount(screen.size)
    let newFirst = min(max(first, target - count + 1), target)
    screen.chosen = target - newFirst
    defer { first = newFirst }
    return newFirst != first
  }

  private mutating func search() throws {
    let limit = BrowseScreen.rowCount(screen.size)
    let start = Moment.now
    let results = try index.search(
      screen.line.text, limit: limit, offset: first, domain: domain)
    hits = Array(results)
    total = results.total
    screen.rows = try hits.map { hit in
      let text = try HitText(hit)
      return BrowseScreen.Row(title: text.title, origin: text.origin, excerpt: text.excerpt)
    }
    if let chosen = screen.chosen {
      screen.chosen = hits.isEmpty ? nil : min(chosen, hits.count - 1)
    }
    let whole = Figures.time(microseconds: start.nanosecondsAgo / 1_000)
    let time = Figures.time(microseconds: results.microseconds)
    screen.status =
      screen.line.text.isEmpty
      ? "\(Figures.count(try index.count, "item")): type to search"
      : "\(Figures.count(total, "hit")) in \(time), with texts \(whole)"
  }

  private mutating func showItem() throws {
    let place = screen.chosen ?? 0
    guard hits.indices.contains(place) else { return }
    let item = try hits[place].item()
    pageLines = ItemPage.lines(item, columns: screen.size.columns)
    pageStart = 0
    screen.page = pageLines
  }

  private func draw() {
    terminal.write(screen.frame())
  }
}
