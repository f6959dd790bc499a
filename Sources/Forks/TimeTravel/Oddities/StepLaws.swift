import SessionWords
import ValueTree

/// A number or a text of an action, and what its steps make of it.
struct PayloadLaw {
  enum Relation: String {
    case equal = "="
    case plus = "+"
    case minus = "-"

    var words: String {
      switch self {
      case .equal: "equals"
      case .plus: "grows by"
      case .minus: "falls by"
      }
    }
  }

  var place: StatePlaces.Place
  var field: String
  var relation: Relation
  var law: LearnedLaw

  static func relations(_ change: ChangedPlace, _ value: Value) -> [Relation] {
    var found: [Relation] = []
    if change.new == value { found.append(.equal) }
    guard let number = value.number, number != 0, let new = change.new?.number else { return found }
    let old = change.old?.number ?? 0
    if abs(old + number - new) < 1e-9, old != 0 { found.append(.plus) }
    if abs(old - number - new) < 1e-9 { found.append(.minus) }
    return found
  }
}

/// A kind of change, and how often others came with it.
struct Companion: Hashable {
  enum Kind: String { case added, changed, removed }

  var place: StatePlaces.Place
  var kind: Kind

  init(_ change: ChangedPlace) {
    place = change.place
    kind = change.isAdded ? .added : change.isRemoved ? .removed : .changed
  }
}

struct Companions {
  var count = 0
  /// By companion, the steps without it: at most a few.
  var missing: [Companion: [(step: Int, label: String)]] = [:]
}

struct Transitions {
  var values: Set<Value> = []
  var from: [Value: Int] = [:]
  var steps: [[Value]: [(step: Int, label: String)]] = [:]
}

/// The changes that the steps of an action make to the changes of the step before.
struct Undoing {
  var undone = 0
  var left: [StatePlaces.Place: [Int]] = [:]
  var total = 0
}

/// A number that tells which element of a list is meant.
struct Pointing {
  var index: Pointer
  var list: Pointer
  var steps: [String: [Int]] = [:]

  func target(in state: Value) -> Value? {
    guard let number = state[index]?.number, let list = state[list]?.list,
      let place = Int(exactly: number), list.indices.contains(place)
    else { return nil }
    return list[place]["id"] ?? list[place]["key"] ?? list[place]
  }

  /// Those that point into their list in all states that were looked at.
  static func all(in samples: [Value]) -> [Pointing] {
    var (numbers, lists): ([Pointer], [Pointer]) = ([], [])
    func look(_ value: Value, _ path: [String]) {
      switch value {
      case .number: numbers.append(Pointer(tokens: path))
      case .array: lists.append(Pointer(tokens: path))
      case .object(let object) where path.count < 3 && object.count <= 40:
        for (key, value) in object { look(value, path + [key]) }
      default: break
      }
    }
    if let last = samples.last { look(last, []) }
    var found: [Pointing] = []
    for index in numbers.prefix(40) {
      for list in lists.prefix(40) {
        let pointing = Pointing(index: index, list: list)
        let asked = samples.filter { $0[list]?.list?.isEmpty == false }
        let targets = asked.compactMap { pointing.target(in: $0) == nil ? nil : $0[index] }
        if asked.count >= 8, targets.count == asked.count, Set(targets).count > 3 {
          found.append(pointing)
        }
      }
    }
    return found
  }
}

/// Laws of steps: what an action does with its payload, what changes together, what is undone.
extension LearnedLaws {
  private static let mostPairs = 20_000

  /// An action's ids are those of things in the state.
  mutating func learnSenders(_ step: Step) {
    for (field, value) in Self.scalars(of: step.action) {
      guard let text = value.string, !text.isEmpty, field != ".type" else { continue }
      var there = Set((occurrences[text] ?? [:]).keys)
      for (node, keys) in elements where keys[text] != nil {
        there.insert(StatePlaces.Place(node: node, aspect: .value))
      }
      heard[step.label, default: [:]][field, default: []].formUnion(there)
      for place in heard[step.label]?[field] ?? [] {
        let law = law(.unheard, place.id, 0, "\(step.label) \(field)")
        if there.contains(place) {
          law.countSupport()
        } else {
          law.fail(
            at: step,
            "\(step.label) came with action\(field) “\(text.clipped(to: 40))”, which was not in "
              + "\(places.name(place)); usually it is")
        }
      }
    }
  }

  static func scalars(of action: Value, _ path: String = "") -> [(String, Value)] {
    switch action {
    case .object(let object): object.flatMap { scalars(of: $0.value, "\(path).\($0.key)") }
    case .array: []
    default: [(path, action)]
    }
  }

  /// Two numbers or lengths grow by the same.
  mutating func learnTotals(_ step: Step, _ changes: [ChangedPlace]) {
    var growth: [StatePlaces.Place: Double] = [:]
    for change in changes where change.place.aspect != .elements && change.growth != 0 {
      growth[change.place, default: 0] += change.growth
    }
    growth = growth.mapValues { ($0 * 1e6).rounded() / 1e6 }.filter { $0.value != 0 }
    let grown = growth.keys.sorted { $0 < $1 }
    if grown.count < 60, totals.count < Self.mostPairs {
      for (index, left) in grown.enumerated() {
        for right in grown.dropFirst(index + 1) {
          for sign in [1.0, -1] where growth[left] == sign * (growth[right] ?? 0) {
            let name = "\(left.id) \(right.id) \(sign)"
            guard totals[name] == nil else { continue }
            totals[name] = (left, right, sign, law(.uneven, left.id, right.id, "\(sign)"))
            for place in [left, right] { partners[place, default: []].append(name) }
          }
        }
      }
    }
    for name in Set(grown.flatMap { partners[$0] ?? [] }) {
      guard let (left, right, sign, law) = totals[name] else { continue }
      let (first, second) = (growth[left] ?? 0, growth[right] ?? 0)
      if first == sign * second {
        law.countSupport()
      } else {
        law.fail(
          at: step,
          "\(step.label) changed \(places.name(left)) by \(words(first)) and \(places.name(right)) by "
            + "\(words(second)); usually \(sign > 0 ? "both change by the same" : "one loses what the other gains")"
        )
      }
    }
  }

  mutating func learnPayload(_ step: Step, _ changes: [ChangedPlace]) {
    var fields = Self.scalars(of: step.action).filter { field, value in
      field != ".type" && (value.number != nil || value.string?.isEmpty == false)
    }
    // An answer brings what its request asked for.
    if let request = step.action["meta"]?["requestId"]?.string {
      if let asked = sent[request] {
        fields += asked
      } else {
        sent[request] = fields.map { ("\u{1}\($0)", $1) }
      }
    }
    guard fields.count < 30 else { return }
    var single: [StatePlaces.Place: ChangedPlace?] = [:]
    for change in changes {
      single[change.place] = single[change.place] == nil ? change : .some(nil)
    }
    for case let (place, change?) in single where change.new != nil {
      for (field, value) in fields {
        for relation in PayloadLaw.relations(change, value) {
          let name = "\(place.id) \(field) \(relation.rawValue)"
          guard payloads[step.label]?[name] == nil else { continue }
          payloads[step.label, default: [:]][name] = PayloadLaw(
            place: place, field: field, relation: relation,
            law: law(.unlike, place.id, 0, "\(step.label) \(name)"))
        }
      }
    }
    let told = Dictionary(fields, uniquingKeysWith: { $1 })
    for known in payloads[step.label]?.values ?? [:].values {
      guard let change = single[known.place] ?? nil, let new = change.new,
        let value = told[known.field], known.relation == .equal || new.number != nil
      else { continue }
      if PayloadLaw.relations(change, value).contains(known.relation) {
        known.law.countSupport()
      } else {
        let field =
          known.field.hasPrefix("\u{1}")
          ? "its request’s \(known.field.dropFirst(2))"
          : "action\(known.field)"
        known.law.fail(
          at: step,
          "\(step.label) made \(places.name(known.place)) \(ValuePreview.text(new)); usually it "
            + "\(known.relation.words) \(field), which is \(ValuePreview.text(value))")
      }
    }
  }

  /// Where one place changes, another one does.
  mutating func learnCompanions(_ step: Step, _ changes: [ChangedPlace]) {
    let kinds = Set(changes.map(Companion.init))
    guard kinds.count < 80 else { return }
    for kind in kinds {
      var known =
        companions[kind]
        ?? Companions(
          missing: Dictionary(uniqueKeysWithValues: kinds.filter { $0 != kind }.map { ($0, []) }))
      known.count += 1
      for other in known.missing.keys where !kinds.contains(other) {
        known.missing[other]?.append((step.number, step.label))
        if known.missing[other]?.count == 5 { known.missing[other] = nil }
      }
      companions[kind] = known
    }
  }

  func companionOddities() -> [Oddity] {
    companions.flatMap { kind, known in
      known.missing.compactMap { other, steps in
        guard let first = steps.first, known.count - steps.count >= 16 else { return nil }
        return Oddity(
          step: first.step, kind: .alone, label: first.label,
          sentence:
            "after \(first.label), \(places.name(kind.place)) was \(kind.kind.rawValue) and "
            + "\(places.name(other.place)) was not \(other.kind.rawValue); usually it is",
          surprise: Oddity.surprise(of: steps.count, beside: known.count - steps.count),
          others: steps.count - 1)
      }
    }
  }

  /// Values that are set once, that come back, or that follow each other.
  mutating func learnHistory(_ step: Step, _ changes: [ChangedPlace]) {
    for change in changes where change.place.aspect != .length {
      if !change.keys.isEmpty {
        let law = law(.reset, change.place.id)
        if change.isAdded {
          law.countSupport()
        } else if !change.isRemoved {
          law.fail(
            at: step, by: change.key,
            "\(step.label) changed \(places.name(change.place)); usually it stays as it was set")
        }
      }
      if let old = change.old, let new = change.new, old.isWord, new.isWord {
        var known = transitions[change.place] ?? Transitions()
        if known.values.count <= 12 {
          known.values.formUnion([old, new])
          known.from[old, default: 0] += 1
          known.steps[[old, new], default: []].append((step.number, step.label))
        }
        transitions[change.place] = known
      }
    }
    for change in changes {
      let name = "\(change.place.id) \(change.key)"
      if let earlier = former[name] {
        let law = law(.unreturned, change.place.id, 0, step.label)
        if earlier == change.new?.hashValue ?? 0 {
          law.countSupport()
        } else {
          law.fail(
            at: step,
            "\(step.label) set \(places.name(change.place)) to another value than before; it brings "
              + "the former one back else")
        }
      }
      former[name] = change.old?.hashValue ?? 0
    }
    learnUndoing(step, changes)
  }

  func transitionOddities() -> [Oddity] {
    transitions.flatMap { place, known -> [Oddity] in
      guard known.values.count <= 12, known.from.values.reduce(0, +) >= 20 else { return [] }
      return known.steps.compactMap { pair, steps in
        let count = known.from[pair[0]] ?? 0
        guard steps.count <= 2, count >= 12, let first = steps.first else { return nil }
        let words = pair.map { ValuePreview.text($0) }
        return Oddity(
          step: first.step, kind: .transition, label: first.label,
          sentence:
            "\(first.label) changed \(places.name(place)) from \(words[0]) to \(words[1]), which "
            + "hardly ever happens",
          surprise: Oddity.surprise(of: steps.count, beside: count),
          others: steps.count - 1)
      }
    }
  }

  /// Whether an action takes back what the step before it did.
  private mutating func learnUndoing(_ step: Step, _ changes: [ChangedPlace]) {
    guard !before.isEmpty else { return }
    var known = undoing[step.label] ?? Undoing()
    let now = Dictionary(
      changes.map { ("\($0.place.id) \($0.key)", $0) }, uniquingKeysWith: { $1 })
    for change in before {
      known.total += 1
      if let next = now["\(change.place.id) \(change.key)"], next.new == change.old {
        known.undone += 1
      } else if known.left[change.place, default: []].count < 4 {
        known.left[change.place, default: []].append(step.number)
      }
    }
    undoing[step.label] = known
  }

  func undoOddities() -> [Oddity] {
    undoing.flatMap { label, known -> [Oddity] in
      guard known.undone >= 20, Double(known.undone) >= 0.15 * Double(known.total) else {
        return []
      }
      return known.left.compactMap { place, steps in
        guard let first = steps.first, steps.count <= 2 else { return nil }
        return Oddity(
          step: first, kind: .kept, label: label,
          sentence:
            "\(label) left \(places.name(place)), which the step before changed; usually it "
            + "takes that back",
          surprise: Oddity.surprise(of: steps.count, beside: known.undone),
          others: steps.count - 1)
      }
    }
  }

  mutating func learnPointers(_ step: Step, from old: Value, to new: Value) {
    for index in pointers.indices
    where pointers[index].target(in: old) != pointers[index].target(in: new) {
      pointers[index].steps[step.label, default: []].append(step.number)
    }
  }

  func pointerOddities() -> [Oddity] {
    pointers.flatMap { pointer in
      pointer.steps.compactMap { label, steps in
        let count = labels[label] ?? 0
        guard let first = steps.first, count >= 16, steps.count <= 2 else { return nil }
        let names = [pointer.list, pointer.index].map { ValuePath($0, in: .null).text }
        return Oddity(
          step: first, kind: .pointed, label: label,
          sentence: "\(label) changed \(names[0])[\(names[1])]; usually it leaves that alone",
          surprise: Oddity.surprise(of: steps.count, beside: count - steps.count),
          others: steps.count - 1)
      }
    }
  }
}

extension Value {
  /// A text, a truth value or null, as a status is.
  fileprivate var isWord: Bool {
    switch self {
    case .string, .bool, .null: true
    default: false
    }
  }
}
