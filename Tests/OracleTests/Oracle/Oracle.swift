// The oracle: all items in a row, changed and searched in the plainest way.

import Limelight

/// An index as the documentation describes it, without any index.
final class Oracle {
  private(set) var registry = OracleRegistry()
  let words: OracleWords
  /// In the order of arrival, expired ones included.
  private(set) var items: [OracleItem] = []
  private var places: [String: Int] = [:]

  init(_ analyzer: Analyzer, _ custom: [CustomAttribute] = []) {
    words = OracleWords(analyzer)
    for attribute in custom { registry.declare(attribute) }
  }

  /// Items that can be found.
  var visible: [OracleItem] { items.filter { !$0.isExpired } }

  /// Puts items that have ids; each replaces the one of its id and comes last.
  func put(_ batch: [Item]) {
    for item in batch {
      registry.admit(item)
      let added = OracleItem(registry.normalised(item), registry, words)
      if places[item.id] != nil { remove { $0.item.id == item.id } }
      places[item.id] = items.count
      items.append(added)
    }
  }

  /// Returns how many items went.
  @discardableResult
  func delete(ids: [String]) -> Int {
    let ids = Set(ids)
    return remove { ids.contains($0.item.id) }
  }

  @discardableResult
  func delete(domain: String) -> Int { remove { $0.isIn(domain: domain) } }

  @discardableResult
  func deleteAll() -> Int { remove { _ in true } }

  @discardableResult
  private func remove(where isGone: (OracleItem) -> Bool) -> Int {
    let before = items.count
    items.removeAll(where: isGone)
    places = [:]
    for (place, item) in items.enumerated() { places[item.item.id] = place }
    return before - items.count
  }

  func item(_ id: String) -> OracleItem? { places[id].map { items[$0] } }

  /// The items that match, best first, the older first among equals.
  func search(_ query: Query, weights: Weights = .standard) -> [OracleHit] {
    var evaluation = OracleEvaluation(self, weights)
    return evaluation.hits(query)
  }
}

/// An item that matches.
struct OracleHit: Equatable {
  let id: String
  let score: Float
}
