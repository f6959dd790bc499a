import SessionWords
import ValueTree

/// Something that held at each of many steps, and did not at a few: “the sum of all balances stays”.
final class LearnedLaw {
  let kind: Oddity.Kind
  /// How often it held.
  var support = 0
  private(set) var breaks: [(step: Int, label: String, words: String)] = []
  private(set) var breakCount = 0
  /// A law that is broken already does not break again.
  private var broken: Set<String> = []

  init(_ kind: Oddity.Kind) { self.kind = kind }

  func countSupport() { support += 1 }

  func fail(at step: Step, by thing: String? = nil, _ words: @autoclosure () -> String) {
    guard broken.insert(thing ?? String(step.number)).inserted else { return }
    breakCount += 1
    guard breaks.count < Self.mostTold else { return }
    breaks.append((step.number, step.label, words()))
  }

  /// Of a place that is equal to another one: whether it was so before.
  func state(_ holds: Bool, of thing: String, at step: Step, _ words: @autoclosure () -> String) {
    if holds {
      countSupport()
      unequal.remove(thing)
    } else if unequal.insert(thing).inserted {
      fail(at: step, by: thing.isEmpty ? nil : thing, words())
    }
  }

  private var unequal: Set<String> = []

  private static let mostTold = 3
  private static let fewest = 8

  /// The first step that breaks it, if breaking it is rare.
  var oddity: Oddity? {
    guard let first = breaks.first, support >= Self.fewest, breakCount * 8 <= support else {
      return nil
    }
    return Oddity(
      step: first.step, kind: kind, label: first.label, sentence: first.words,
      surprise: Oddity.surprise(of: breakCount, beside: support),
      others: breakCount - 1)
  }
}

/// The places of a law, and a text beside them.
struct LawKey: Hashable {
  let kind: Oddity.Kind
  let first: Int
  let second: Int
  let text: String
}

/// Learns the laws that usually hold in the states of a session, and between its actions and
/// states. It sees places, numbers and texts, and nothing of their meaning.
struct LearnedLaws {
  var places: StatePlaces
  var laws: [LawKey: LearnedLaw] = [:]
  /// By place and keys, the values now.
  var values: [StatePlaces.Place: [String: Value]] = [:]
  /// The keys of each collection, and their number there.
  var elements: [Int: [String: Int]] = [:]
  /// The number of each text at each place.
  var occurrences: [String: [StatePlaces.Place: Int]] = [:]
  var sums: ComputedSums
  /// The lists in which the elements of a collection stand.
  var placings: [Int: Set<StatePlaces.Place>] = [:]
  /// By place and collection: whether the first text there was an element.
  var references: [StatePlaces.Place: [Int: Bool]] = [:]
  var equalities: [StatePlaces.Place: Set<StatePlaces.Place>] = [:]
  var totals: [String: (StatePlaces.Place, StatePlaces.Place, Double, LearnedLaw)] = [:]
  var partners: [StatePlaces.Place: [String]] = [:]
  var payloads: [String: [String: PayloadLaw]] = [:]
  /// By label and field of an action, where its texts stood.
  var heard: [String: [String: Set<StatePlaces.Place>]] = [:]
  var companions: [Companion: Companions] = [:]
  var transitions: [StatePlaces.Place: Transitions] = [:]
  /// By place and keys, the hash of the value before the last one.
  var former: [String: Int] = [:]
  var undoing: [String: Undoing] = [:]
  var sent: [String: [(String, Value)]] = [:]
  var before: [ChangedPlace] = []
  var labels: [String: Int] = [:]
  var pointers: [Pointing] = []

  init(samples: [Value], actions: [Value]) {
    places = StatePlaces(samples: samples, actions: actions)
    sums = ComputedSums()
    pointers = Pointing.all(in: samples)
  }

  mutating func law(
    _ kind: Oddity.Kind, _ first: Int, _ second: Int = 0, _ text: String = ""
  ) -> LearnedLaw {
    let key = LawKey(kind: kind, first: first, second: second, text: text)
    if let known = laws[key] { return known }
    let law = LearnedLaw(kind)
    laws[key] = law
    return law
  }

  mutating func begin(_ state: Value?) {
    var changes = places.changes(from: nil, to: state)
    changes += sums.changes(changes, &places)
    apply(changes)
  }

  mutating func add(_ step: Step, from old: Value, to new: Value) {
    let found = places.changes(from: old, to: new)
    labels[step.label, default: 0] += 1
    if !found.isEmpty { learnSenders(step) }
    apply(found)
    let computed = sums.changes(found, &places)
    for change in computed { set(change) }
    learnSums(step, found)
    learnLists(step, found)
    learnReferences(step, found)
    learnEqualities(step, found + computed)
    learnTotals(step, found)
    learnPayload(step, found)
    learnCompanions(step, found)
    learnHistory(step, found)
    learnPointers(step, from: old, to: new)
    before = found
  }

  private mutating func apply(_ changes: [ChangedPlace]) {
    for change in changes {
      set(change)
      let node = places.nodes[change.place.node]
      if node.names.last == StatePlaces.element, change.place.aspect == .value {
        let moves = (change.isAdded ? 1 : 0) - (change.isRemoved ? 1 : 0)
        guard moves != 0, let key = change.keys.last else { continue }
        let count = elements[change.place.node]?[key, default: 0] ?? 0
        elements[change.place.node, default: [:]][key] = count + moves > 0 ? count + moves : nil
      } else {
        for text in Self.texts(change.old) { count(text, change.place, -1) }
        for text in Self.texts(change.new) { count(text, change.place, 1) }
      }
    }
  }

  private mutating func set(_ change: ChangedPlace) {
    values[change.place, default: [:]][change.key] = change.new
  }

  private mutating func count(_ text: String, _ place: StatePlaces.Place, _ by: Int) {
    let now = (occurrences[text]?[place] ?? 0) + by
    occurrences[text, default: [:]][place] = now > 0 ? now : nil
    if occurrences[text]?.isEmpty == true { occurrences[text] = nil }
  }

  /// The texts that may be references.
  static func texts(_ value: Value?) -> [String] {
    switch value {
    case .string(let text)?: text.isEmpty ? [] : [text]
    case .array(let list)?: list.compactMap(\.scalarText)
    default: []
    }
  }

  /// The first breaks of all laws, as weighed against each other.
  func oddities() -> [Oddity] {
    laws.values.compactMap(\.oddity) + companionOddities() + transitionOddities()
      + undoOddities() + pointerOddities()
  }
}
