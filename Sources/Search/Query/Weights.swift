// How much more a word counts by the attribute in which it stands.

public import LimelightItems

/// The boost that a word gets from the attributes in which it stands.
///
/// The score of a word in an item is `idf * (sat + boost)`: `idf` grows with the word's rarity,
/// `sat`, below 1, with its frequency in the item as against the item's length, and the boost is
/// the largest weight among the attributes of the item that hold the word.
///
/// The boost is added, not multiplied into the frequency: a word that stands a hundred times in a
/// long body gains at most its `sat`, less than 1, and never drowns the one that stands in the
/// title, whose weight is 1. It stands under the word's own `idf`, so a frequent word in a title
/// does not outweigh a rare one in a body. Weights are never negative: only so can a block
/// of postings be passed over by its bound. They are chosen with each search; nothing about them
/// is stored.
public struct Weights: Hashable, Sendable {
  /// An attribute whose weight is not 0.
  private struct Entry: Hashable, Sendable {
    let attribute: Attribute
    let weight: Float
  }

  /// By the attributes' numbers, then their names.
  ///
  /// An array: the first dictionary of a type costs more than a search.
  private var entries: [Entry]

  /// Makes weights of 0 for all attributes: only frequency, length and rarity count.
  public init() {
    entries = []
  }

  /// The weight of an attribute, 0 unless set; negative and undefined ones become 0, and the
  /// largest is 1,000.
  public subscript(attribute: Attribute) -> Float {
    get {
      let place = place(of: attribute)
      return holds(attribute, at: place) ? entries[place].weight : 0
    }
    set {
      let place = place(of: attribute)
      if holds(attribute, at: place) { entries.remove(at: place) }
      guard newValue > 0 else { return }
      entries.insert(Entry(attribute: attribute, weight: min(newValue, 1_000)), at: place)
    }
  }

  /// Where an attribute stands, or would stand.
  private func place(of attribute: Attribute) -> Int {
    let isCustom = attribute.number == Attribute.customNumber
    return entries.firstIndex {
      let other = $0.attribute
      return other.number == attribute.number
        ? !isCustom || other.name >= attribute.name : other.number > attribute.number
    } ?? entries.count
  }

  private func holds(_ attribute: Attribute, at place: Int) -> Bool {
    place < entries.count && entries[place].attribute == attribute
  }

  /// The attributes whose weight is not 0, in no particular order.
  public var attributes: [Attribute] { entries.map { $0.attribute } }

  /// The weights used when none are given: a name above other names, above the body.
  ///
  /// | attributes | weight |
  /// |---|---|
  /// | `title`, `displayName` | 1 |
  /// | `alternateNames` | 0.8 |
  /// | `keywords` | 0.6 |
  /// | `subject`, `headline`, and the names of people, works, places and bodies | 0.4 |
  /// | `contentDescription` | 0.2 |
  /// | everything else: bodies, remarks, addresses, custom attributes | 0 |
  public static let standard: Weights = {
    var weights: Weights = [
      .title: 1, .displayName: 1, .alternateNames: 0.8, .keywords: 0.6, .contentDescription: 0.2,
    ]
    let names: [Attribute] = [
      .subject, .headline, .album, .artist, .composer, .performers, .authorNames, .authors,
      .recipientNames, .primaryRecipients, .additionalRecipients, .contactKeywords,
      .organizations, .namedLocation, .city, .stateOrProvince, .country,
    ]
    for name in names { weights[name] = 0.4 }
    return weights
  }()
}

extension Weights: ExpressibleByDictionaryLiteral {
  /// Makes weights; attributes that are not named weigh 0.
  public init(dictionaryLiteral elements: (Attribute, Float)...) {
    self.init()
    for (attribute, weight) in elements { self[attribute] = weight }
  }
}
