import Platform
import StoreCore

/// Compares two values part by part.
///
/// A work list replaces recursion, so that values may be nested as deeply as memory allows.
struct ReflectiveComparer {
  /// Two values at the same place; nil if missing on one side.
  private struct Pair {
    var place: Place
    var actual: Any?
    var expected: Any?
  }

  private final class Place {
    enum Step {
      case member(String?)
      case element(Int)
      case key(String)
    }

    let parent: Place?
    let step: Step

    init(_ parent: Place?, _ step: Step) { (self.parent, self.step) = (parent, step) }

    var text: String {
      var steps: [Step] = []
      var place: Place? = self
      while let current = place {
        steps.append(current.step)
        place = current.parent
      }
      return steps.reversed().reduce(into: "") { text, step in
        switch step {
        case .member(nil): break
        case .member(let name?): text += text.isEmpty ? name : ".\(name)"
        case .element(let index): text += "[\(index)]"
        case .key(let key): text += key
        }
      }
    }
  }

  private struct Objects: Hashable {
    var actual: ObjectIdentifier
    var expected: ObjectIdentifier
  }

  private(set) var result = ReflectiveComparison()
  private var facts = TypeFacts()
  private var quick = QuickEquality()
  private var waiting: [Pair] = []
  /// Pairs of objects already compared, to stop cycles.
  private var known: Set<Objects> = []
  private var stopsEarly = false

  mutating func compare(_ actual: Any, _ expected: Any) {
    waiting = [Pair(place: Place(nil, .member(nil)), actual: actual, expected: expected)]
    while let pair = waiting.popLast() {
      if stopsEarly, !result.isEqual { return }
      let first = waiting.count
      compare(pair)
      // Reverses the new items, so that the first part comes first. One by one, because a slice
      // would copy the whole list.
      var (low, high) = (first, waiting.count - 1)
      while low < high {
        waiting.swapAt(low, high)
        (low, high) = (low + 1, high - 1)
      }
    }
  }

  /// Whether these are equal, assuming that visited objects are.
  private func areEqual(_ actual: Any, _ expected: Any) -> Bool {
    var comparer = self
    (comparer.result, comparer.stopsEarly) = (ReflectiveComparison(), true)
    comparer.compare(actual, expected)
    return comparer.result.isEqual
  }

  private mutating func compare(_ pair: Pair) {
    if let actual = pair.actual, let expected = pair.expected,
      quick.areEqual(actual, expected, &facts)
    {
      return
    }
    guard let actual = pair.actual.map({ Reflected($0, &facts) }),
      let expected = pair.expected.map({ Reflected($0, &facts) })
    else { return differ(pair.place, pair.actual, pair.expected) }
    if actual.type == expected.type {
      if facts.isLock(actual.type) { return }
      if actual.showsNothing, expected.showsNothing { return compareUnseen(actual, expected, pair) }
    }
    switch (actual.shape, expected.shape) {
    case (.closure, .closure):
      result.ignored.append(pair.place.text)
    case _ where actual.type != expected.type:
      let isPlain =
        actual.isNil != expected.isNil || actual.value is Any.Type || expected.value is Any.Type
      differ(pair.place, actual.value, expected.value, withTypes: !isPlain)
    case (.leaf, .leaf):
      if !LeafEquality.areEqual(actual.value, expected.value) {
        differAsLeaves(actual.value, expected.value, pair.place)
      }
    case (.object(let left), .object(let right)):
      guard left != right, known.insert(Objects(actual: left, expected: right)).inserted
      else { return }
      compareParts(actual, expected, pair.place)
    case (.enumeration(let left), .enumeration(let right)):
      guard left == right else { return differ(pair.place, actual.value, expected.value) }
      compareParts(actual, expected, Place(pair.place, .key(".\(left)")))
    case (.structure, .structure), (.tuple, .tuple):
      compareParts(actual, expected, pair.place)
    case (.sequence, .sequence):
      compareElements(actual, expected, pair.place)
    case (.set, .set):
      compareSets(actual, expected, pair.place)
    case (.dictionary, .dictionary):
      compareDictionaries(actual, expected, pair.place)
    default:
      differ(pair.place, actual.value, expected.value)
    }
  }

  /// Values without visible parts compare by `==`, or if not hidden on purpose, by bits.
  private mutating func compareUnseen(_ actual: Reflected, _ expected: Reflected, _ pair: Pair) {
    if case .object(let left) = actual.shape, case .object(let right) = expected.shape,
      left == right
    {
      return
    }
    // A custom mirror may hide anything; a C type hides only its parts.
    if !(actual.value is any CustomReflectable),
      Sameness.haveSameBits(any: actual.value, expected.value)
    {
      return
    }
    if LeafEquality.areEqualByType(actual.value, expected.value) == true { return }
    differ(pair.place, actual.value, expected.value)
    if LeafEquality.areEqualByType(actual.value, expected.value) == nil {
      result.differences[result.differences.count - 1].actual +=
        " (its mirror shows nothing, and it is not Equatable)"
    }
  }

  private mutating func differAsLeaves(_ actual: Any, _ expected: Any, _ place: Place) {
    guard let left = actual as? any Sequence<UInt8>, let right = expected as? any Sequence<UInt8>
    else { return differ(place, actual, expected) }
    let (actual, expected) = (Array(left), Array(right))
    let index = zip(actual, expected).prefix { $0 == $1 }.map { _ in () }.count
    func text(_ bytes: [UInt8]) -> String {
      guard index < bytes.count else { return "the end, after \(bytes.count) bytes" }
      let digits = String(bytes[index], radix: 16, uppercase: true)
      return "0x\(digits.count < 2 ? "0" : "")\(digits) (of \(bytes.count) bytes)"
    }
    result.differences.append(
      ReflectiveComparison.Difference(
        path: "\(place.text)[\(index)]", expected: text(expected), actual: text(actual)))
  }

  private mutating func differ(
    _ place: Place, _ actual: Any?, _ expected: Any?, withTypes: Bool = false
  ) {
    func text(_ value: Any?) -> String {
      guard let value else { return "nothing" }
      let type = withTypes ? " (\(TypeName.short(type(of: value))))" : ""
      return Dump.line(value, limit: 200) + type
    }
    result.differences.append(
      ReflectiveComparison.Difference(
        path: place.text, expected: text(expected), actual: text(actual)))
  }
}

extension ReflectiveComparer {
  private mutating func compareParts(_ actual: Reflected, _ expected: Reflected, _ place: Place) {
    guard actual.parts.count == expected.parts.count else {
      return differ(place, actual.value, expected.value)
    }
    for index in actual.parts.indices {
      let (left, right) = (actual.parts[index], expected.parts[index])
      let isPayload = actual.parts.count == 1 && left.label == nil
      let step = left.label ?? (isPayload ? nil : "\(index)")
      wait(left.value, right.value, at: Place(place, .member(step)))
    }
  }

  private mutating func compareElements(
    _ actual: Reflected, _ expected: Reflected, _ place: Place
  ) {
    for index in 0..<max(actual.parts.count, expected.parts.count) {
      let left = index < actual.parts.count ? actual.parts[index].value : nil
      let right = index < expected.parts.count ? expected.parts[index].value : nil
      wait(left, right, at: Place(place, .element(index)))
    }
  }

  private struct Match {
    var pairs: [(actual: Int, expected: Int)] = []
    var added: [Int] = []
    var missing: [Int] = []
  }

  /// Finds the places of what is equal, by hash where possible.
  private func match(_ actual: [Any], _ expected: [Any], trustsHash: Bool) -> Match {
    var match = Match()
    var places: [AnyHashable: Int] = [:]
    for (place, value) in expected.enumerated() {
      if let key = value as? AnyHashable { places[key] = place }
    }
    var isMatched = Array(repeating: false, count: expected.count)
    for (index, value) in actual.enumerated() {
      if let key = value as? AnyHashable, let place = places[key],
        trustsHash || areEqual(value, expected[place])
      {
        isMatched[place] = true
        match.pairs.append((index, place))
      } else {
        match.added.append(index)
      }
    }
    match.missing = expected.indices.filter { !isMatched[$0] }
    match.added = match.added.filter { index in
      let found = match.missing.firstIndex { areEqual(actual[index], expected[$0]) }
      guard let found else { return true }
      match.pairs.append((index, match.missing.remove(at: found)))
      return false
    }
    return match
  }

  /// Elements without an equal one are left over; one left on each side count as one that changed.
  private mutating func compareSets(_ actual: Reflected, _ expected: Reflected, _ place: Place) {
    let (left, right) = (actual.parts.map(\.value), expected.parts.map(\.value))
    let match = match(left, right, trustsHash: false)
    let (added, missing) = (match.added.map { left[$0] }, match.missing.map { right[$0] })
    if added.count == 1, missing.count == 1 {
      return wait(added[0], missing[0], at: Place(place, Self.element(missing[0])))
    }
    for element in Self.sorted(missing) {
      wait(nil, element, at: Place(place, Self.element(element)))
    }
    for element in Self.sorted(added) {
      wait(element, nil, at: Place(place, Self.element(element)))
    }
  }

  private mutating func wait(_ actual: Any?, _ expected: Any?, at place: Place) {
    waiting.append(Pair(place: place, actual: actual, expected: expected))
  }

  private static func element(_ value: Any) -> Place.Step {
    .key("{\(Dump.line(value, limit: 60))}")
  }

  private static func sorted(_ values: [Any]) -> [Any] {
    values.map { ($0, Dump.line($0)) }.sorted { Dump.naturally($0.1, $1.1) }.map(\.0)
  }

  private mutating func compareDictionaries(
    _ actual: Reflected, _ expected: Reflected, _ place: Place
  ) {
    let left = actual.parts.compactMap { Mirror.pair($0.value) }
    let right = expected.parts.compactMap { Mirror.pair($0.value) }
    let match = match(left.map(\.key), right.map(\.key), trustsHash: true)
    var found: [(key: String, actual: Any?, expected: Any?)] = match.pairs.map { pair in
      (Dump.line(left[pair.actual].key), left[pair.actual].value, right[pair.expected].value)
    }
    found += match.added.map { (Dump.line(left[$0].key), left[$0].value, nil) }
    found += match.missing.map { (Dump.line(right[$0].key), nil, right[$0].value) }
    for entry in found.sorted(by: { Dump.naturally($0.key, $1.key) }) {
      wait(entry.actual, entry.expected, at: Place(place, .key("[\(entry.key)]")))
    }
  }
}
