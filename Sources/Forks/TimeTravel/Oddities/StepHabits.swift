import Platform
import SessionWords
import ValueTree

/// The habits of a session's steps: which places their actions change, and how values move.
///
/// A place is named without positions and ids, so that elements of a list are of one kind.
struct StepHabits {
  /// Tells elements from fields.
  let places: StatePlaces

  private struct Change {
    var step: Int
    var label: String
    var old: Value?
    var new: Value?
  }

  /// The steps of each label.
  private var steps: [String: [Int]] = [:]
  /// The steps that changed each place, in order.
  private var changes: [String: [Change]] = [:]
  /// The same for the lengths of lists.
  private var lengths: [String: [Change]] = [:]
  private var twice: [String: [Int]] = [:]
  private var found: [Oddity] = []
  private var state: Value?

  /// With fewer steps of a kind, nothing is usual.
  private static let fewest = 5

  init(_ places: StatePlaces) { self.places = places }

  mutating func begin(_ state: Value?) { self.state = state }

  mutating func add(_ step: Step, _ next: Value?) {
    defer { state = next ?? state }
    guard step.damage == nil, !step.isSkipped, let state, let next else { return }
    recordRequest(step)
    steps[step.label, default: []].append(step.number)
    var (touched, touchedLists): (Set<String>, Set<String>) = ([], [])
    for change in Difference(from: state, to: next, matching: .shown).changes {
      // A change of a part is one of all that is around it.
      let names = places.names(of: change.path)
      guard change.kind != .moved else { continue }
      let place = Self.name(names[...])
      let isExact = !names.contains(StatePlaces.element)
      if isExact || touched.insert(place).inserted {
        changes[place, default: []].append(
          Change(
            step: step.number, label: step.label, old: isExact ? change.old?.outline : nil,
            new: isExact ? change.new?.outline : nil))
        touched.insert(place)
      }
      if change.kind == .changed { continue }
      guard let list = change.path.parent, case .array(let old)? = state[list],
        case .array(let new)? = next[list]
      else { continue }
      let name = Self.name(names.dropLast())
      if touchedLists.insert(name).inserted {
        lengths[name, default: []].append(
          Change(
            step: step.number, label: step.label, old: .number(Number(old.count)),
            new: .number(Number(new.count))))
      }
    }
  }

  private static func name(_ tokens: ArraySlice<String>) -> String {
    guard !tokens.isEmpty else { return "the state" }
    return ValuePath(tokens.map { .key($0) }).text.replacing("[\"*\"]", with: "[*]")
  }

  mutating func record(_ step: Step, behind before: Step) {
    guard step.label == before.label, step.action.isExactlyEqual(to: before.action),
      step.cause.isFromOutside
    else { return }
    twice[step.label, default: []].append(step.number)
  }

  // MARK: Work beside the reducer

  /// An effect, or a request of Redux Toolkit between its `pending` and its answer.
  private struct Work {
    var name: String
    var start: Int
    var end: Int?
    var seconds: Double?
    var from: Duration?
  }

  /// By name and request.
  private var requests: [String: [String: Work]] = [:]

  private mutating func recordRequest(_ step: Step) {
    guard let id = step.action["meta"]?["requestId"]?.string,
      let slash = step.label.lastIndex(of: "/")
    else { return }
    let name = String(step.label[..<slash])
    if step.label.hasSuffix("/pending") {
      requests[name, default: [:]][id] = Work(name: name, start: step.number, from: step.time)
    } else if var work = requests[name]?[id] {
      work.end = step.number
      if let from = work.from, let time = step.time { work.seconds = (time - from) / .seconds(1) }
      requests[name]?[id] = work
    } else {
      found.append(
        Oddity(
          step: step.number, kind: .unasked, label: step.label,
          sentence: "\(step.label) answers a request that was never pending", surprise: 8))
    }
  }

  mutating func record(_ effects: [EffectSpan], last: Int) {
    var all = requests.values.flatMap(\.values)
    for span in effects {
      var work = Work(name: span.name, start: span.origin.step, end: span.end?.step)
      if let start = span.started, let end = span.end?.time, span.end?.manner == .finished {
        work.seconds = (end - start) / .seconds(1)
      }
      all.append(work)
    }
    for (name, work) in Dictionary(grouping: all, by: \.name) {
      let work = work.sorted { ($0.start, $0.end ?? .max) < ($1.start, $1.end ?? .max) }
      var busyUntil = Int.min
      var overlapping: [Int] = []
      for one in work {
        if busyUntil > one.start { overlapping.append(one.start) }
        busyUntil = max(busyUntil, one.end ?? .max)
      }
      add(overlapping, of: work.count, .overlapping, name) {
        "\(name) started while another one was running"
      }
      let open = work.filter { $0.end == nil && $0.start < last }.map(\.start)
      add(open, of: work.count, .unanswered, name) { "\(name) was never answered" }
      durations(of: name, work)
    }
  }

  private mutating func durations(of name: String, _ work: [Work]) {
    let times = work.compactMap { one in one.seconds.map { (one.start, max(0.001, $0)) } }
    guard times.count >= 2 * Self.fewest else { return }
    let usual = times.map(\.1).sorted()[times.count / 2]
    let far = times.filter { $0.1 > 8 * usual || $0.1 * 8 < usual }
    for (step, seconds) in far {
      let words = [seconds, usual].map { Duration.seconds($0).longText }
      add([step], of: times.count / far.count, .duration, name) {
        "\(name) took \(words[0]), and \(words[1]) usually"
      }
    }
  }

  // MARK: Odd steps

  private mutating func add(
    _ odd: [Int], of count: Int, _ kind: Oddity.Kind, _ label: String, _ sentence: () -> String
  ) {
    guard let surprise = surprise(odd.count, of: count) else { return }
    let words = sentence()
    for step in odd {
      found.append(
        Oddity(step: step, kind: kind, label: label, sentence: words, surprise: surprise))
    }
  }

  /// In bits, of something that happened so often; nil if it is usual, or too little is known.
  private func surprise(_ odd: Int, of count: Int) -> Double? {
    guard odd > 0, count >= Self.fewest, odd * 5 <= count else { return nil }
    return Oddity.surprise(of: odd, beside: count)
  }

  mutating func oddities() -> [Oddity] {
    for (list, all) in lengths { steps(of: "the length of \(list)", all, .length) }
    for (place, all) in changes {
      steps(of: place, all, .jump)
      values(place, all)
    }
    labelledPlaces()
    for (label, odd) in twice {
      let count = steps[label]?.count ?? 0
      // A button may be pressed often.
      guard odd.count * 20 <= count else { continue }
      add(odd, of: count, .twice, label) { "\(label) came twice in a row, with the same payload" }
    }
    return found
  }

  /// Several places that one step left or changed are one oddity.
  private struct Places {
    var surprise = 0.0
    var names: [String] = []
    var words: String { names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " …" : "") }
  }

  private func joined(
    _ odd: [Int], of count: Int, _ place: String, _ places: inout [Int: Places]
  ) {
    guard let surprise = surprise(odd.count, of: count) else { return }
    for step in odd {
      var all = places[step] ?? Places()
      all.names.append(place)
      all.surprise = max(all.surprise, surprise)
      places[step] = all
    }
  }

  /// The places of each label, by the steps that changed them.
  private mutating func labelledPlaces() {
    var changed: [String: [(place: String, steps: Set<Int>, all: Int)]] = [:]
    for (place, all) in changes {
      let count = Set(all.map(\.step)).count
      for (label, own) in Dictionary(grouping: all, by: \.label) {
        changed[label, default: []].append((place, Set(own.map(\.step)), count))
      }
    }
    for (label, places) in changed {
      let all = steps[label] ?? []
      // Of a rare action, what others do tells more than what it does itself.
      let isRare = all.count < Self.fewest
      var (left, strange): ([Int: Places], [Int: Places]) = ([:], [:])
      for (place, own, count) in places.sorted(by: { $0.place < $1.place }) {
        joined(all.filter { !own.contains($0) }, of: all.count, place, &left)
        if own.count < count {
          joined(own.sorted(), of: isRare ? count : all.count, place, &strange)
        }
      }
      let usual = isRare ? "which others usually do" : "which it usually leaves alone"
      for (kind, odd) in [(Oddity.Kind.unchanged, left), (.stranger, strange)] {
        for (step, places) in odd {
          let words =
            kind == .unchanged
            ? "\(label) left \(places.words) alone, which it usually changes"
            : "\(label) changed \(places.words), \(usual)"
          found.append(
            Oddity(
              step: step, kind: kind, label: label, sentence: words, surprise: places.surprise))
        }
      }
    }
  }

  /// Steps of an action usually change a number, or the length of a list, by the same.
  private mutating func steps(of place: String, _ all: [Change], _ kind: Oddity.Kind) {
    for (label, changes) in Dictionary(grouping: all, by: \.label) {
      let grown = changes.compactMap { change -> (step: Int, by: Double)? in
        guard let old = change.old?.double, let new = change.new?.double else { return nil }
        return (change.step, new - old)
      }
      let counts = Dictionary(grouping: grown, by: \.by).mapValues(\.count)
      guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
        usual.value * 5 >= grown.count * 4
      else { continue }
      for (step, growth) in grown where growth != usual.key {
        let words = [growth, usual.key].map {
          ($0 > 0 ? "+" : "") + ValuePreview.text(.number(Number($0)))
        }
        add([step], of: usual.value, kind, label) {
          "\(label) changed \(place) by \(words[0]), and by \(words[1]) usually"
        }
      }
    }
  }

  private mutating func values(_ place: String, _ all: [Change]) {
    let both = all.compactMap { change -> (step: Int, label: String, old: Double, new: Double)? in
      guard let old = change.old?.double, let new = change.new?.double else { return nil }
      return (change.step, change.label, old, new)
    }
    func told(_ one: (step: Int, label: String, old: Double, new: Double)) -> String {
      "\(ValuePreview.text(.number(Number(one.old)))) → \(ValuePreview.text(.number(Number(one.new))))"
    }
    let falling = both.filter { $0.new < $0.old }
    for one in falling where !falling.isEmpty && falling.count * 10 <= both.count {
      add([one.step], of: both.count / falling.count, .back, one.label) {
        "\(place) went back (\(told(one))), and grows else"
      }
    }
    if let first = both.firstIndex(where: { $0.new < 0 && $0.old >= 0 }) {
      add([both[first].step], of: first, .negative, both[first].label) {
        "\(place) fell below zero for the first time (\(told(both[first])))"
      }
    }
    let kinds = all.filter { change in
      guard let old = change.old, let new = change.new else { return false }
      return old.kindWord != new.kindWord && old != .null
    }
    for one in kinds where kinds.count * 10 <= all.count {
      let words = [one.old, one.new].map { $0?.kindWord ?? "" }
      add([one.step], of: all.count / kinds.count, .retyped, one.label) {
        "\(place) became \(words[1]), and was \(words[0])"
      }
    }
  }
}

/// Exact enough for ranks, without a library of mathematics.
func binaryLogarithm(_ value: Double) -> Double {
  Double(value.exponent) + (value.significand - 1)
}

extension Value {
  fileprivate var double: Double? {
    if case .number(let number) = self { number.doubleValue } else { nil }
  }

  /// The value without its contents, which may be large and are not compared.
  fileprivate var outline: Value {
    switch self {
    case .string: ""
    case .array: []
    case .object: [:]
    default: self
    }
  }

  fileprivate var kindWord: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
