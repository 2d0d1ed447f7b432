// Recursive graph bisection: halves items again and again by the words that they share.

internal import Glibc

/// The bisection of items by their words.
///
/// A half with `d` of `n` items that hold a word costs about `d log2(n / (d + 1))` bits for it. Of each part,
/// its halves are improved in rounds: every item is given what it would save to have it in the right half
/// rather than in the left one, and the half of them with the least goes to the left. Each round takes
/// time in proportion to the postings of the part, so all takes `O(postings * log(items))` times the
/// rounds, 20 at most. Memory: 24 bytes an item and 8 a word beside the lists.
final class GraphBisection {
  private static let rounds = 20
  /// Smaller parts stay in the order of arrival: a block of postings packs all its gaps alike.
  private static let smallestPart = 32

  /// The items so far, in their order to be.
  private(set) var order: [UInt32]
  private let lists: WordLists
  /// For each word, how many items of the left and of the right half hold it.
  private let degrees: UnsafeMutablePointer<SIMD2<UInt32>>
  private let savings: UnsafeMutablePointer<Float>
  private let isLeft: UnsafeMutablePointer<Bool>
  private let table: UnsafeMutablePointer<Float>
  private static let tableSize: UInt32 = 4096

  init(_ lists: WordLists) {
    self.lists = lists
    order = (0..<UInt32(truncatingIfNeeded: lists.count)).map { $0 }
    degrees = .allocate(capacity: max(lists.wordCount, 1))
    degrees.initialize(repeating: .zero, count: max(lists.wordCount, 1))
    savings = .allocate(capacity: max(lists.count, 1))
    savings.initialize(repeating: 0, count: max(lists.count, 1))
    isLeft = .allocate(capacity: max(lists.count, 1))
    isLeft.initialize(repeating: false, count: max(lists.count, 1))
    table = .allocate(capacity: Int(Self.tableSize))
    for degree in 0..<Self.tableSize {
      (table + Int(degree)).initialize(to: Self.slope(degree))
    }
  }

  deinit {
    degrees.deallocate()
    savings.deallocate()
    isLeft.deallocate()
    table.deallocate()
  }

  /// Orders the items; leaves them in any order when `isCancelled`, asked for each round, says so.
  func run(_ isCancelled: () -> Bool) {
    var order = self.order
    lists.starts.withUnsafeBufferPointer { starts in
      lists.words.withUnsafeBufferPointer { words in
        order.withUnsafeMutableBufferPointer {
          bisect($0, Lists(starts: starts, words: words), isCancelled)
        }
      }
    }
    self.order = order
  }

  private struct Lists {
    let starts: UnsafeBufferPointer<Int>
    let words: UnsafeBufferPointer<UInt32>

    @inline(__always) func words(of item: UInt32) -> UnsafeBufferPointer<UInt32> {
      UnsafeBufferPointer(rebasing: words[starts[Int(item)]..<starts[Int(item) &+ 1]])
    }
  }

  /// How fast what a word costs falls with its degree: the derivative of `d log2(d + 1)`.
  private static func slope(_ degree: UInt32) -> Float {
    let d = Float(degree)
    return log2f(d + 1) + d / (d + 1) * 1.442_695
  }

  @inline(__always) private func slope(_ degree: UInt32) -> Float {
    degree < Self.tableSize ? table[Int(degree)] : Self.slope(degree)
  }

  private func bisect(
    _ items: UnsafeMutableBufferPointer<UInt32>, _ lists: Lists, _ isCancelled: () -> Bool
  ) {
    guard items.count >= Self.smallestPart, !isCancelled() else {
      var items = items
      return items.sort()
    }
    let middle = items.count / 2
    for (place, item) in items.enumerated() {
      isLeft[Int(item)] = place < middle
      for word in lists.words(of: item) { degrees[Int(word)][place < middle ? 0 : 1] &+= 1 }
    }
    for _ in 0..<Self.rounds where !isCancelled() {
      for item in items { savings[Int(item)] = saving(item, lists) }
      guard split(items, at: middle) else { break }
      var moved = 0
      for (place, item) in items.enumerated() where isLeft[Int(item)] != (place < middle) {
        isLeft[Int(item)] = place < middle
        moved &+= 1
        let change: SIMD2<UInt32> = place < middle ? [1, .max] : [.max, 1]
        for word in lists.words(of: item) { degrees[Int(word)] &+= change }
      }
      if moved <= items.count / 1000 { break }
    }
    for item in items { for word in lists.words(of: item) { degrees[Int(word)] = .zero } }
    bisect(UnsafeMutableBufferPointer(rebasing: items[..<middle]), lists, isCancelled)
    bisect(UnsafeMutableBufferPointer(rebasing: items[middle...]), lists, isCancelled)
  }

  /// What it saves to have an item in the right half rather than in the left one.
  private func saving(_ item: UInt32, _ lists: Lists) -> Float {
    var sum: Float = 0
    if isLeft[Int(item)] {
      for word in lists.words(of: item) {
        let degree = degrees[Int(word)]
        sum += slope(degree.y) - slope(degree.x &- 1)
      }
    } else {
      for word in lists.words(of: item) {
        let degree = degrees[Int(word)]
        sum += slope(degree.y &- 1) - slope(degree.x)
      }
    }
    return sum
  }

  /// Moves the items that save the least in the right half to the left of `middle`, by quick selection;
  /// false if they stand there already.
  private func split(_ items: UnsafeMutableBufferPointer<UInt32>, at middle: Int) -> Bool {
    var largest = -Float.infinity
    var least = Float.infinity
    for place in 0..<middle { largest = max(largest, savings[Int(items[place])]) }
    for place in middle..<items.count { least = min(least, savings[Int(items[place])]) }
    guard largest > least else { return false }
    var low = 0
    var high = items.count &- 1
    while low < high {
      let pivot = median(
        savings[Int(items[low])], savings[Int(items[(low &+ high) / 2])],
        savings[Int(items[high])])
      var i = low
      var j = high
      while i <= j {
        while savings[Int(items[i])] < pivot { i &+= 1 }
        while savings[Int(items[j])] > pivot { j &-= 1 }
        guard i <= j else { break }
        items.swapAt(i, j)
        i &+= 1
        j &-= 1
      }
      if middle <= j {
        high = j
      } else if middle >= i {
        low = i
      } else {
        break
      }
    }
    return true
  }

  private func median(_ a: Float, _ b: Float, _ c: Float) -> Float {
    max(min(a, b), min(max(a, b), c))
  }
}
