import ValueTree

/// Simplifies a value while the goal is reached: numbers nearer to 0, shorter texts and arrays,
/// false for true. Equal numbers and texts stay equal, since a failure may depend on that.
struct ValueSimplifier: Sendable {
  /// One number or text in place of another, wherever it is.
  typealias Swap = (old: Value, new: Value)

  /// Whether a simpler value that is enough stays, and the next one is tried beside it.
  let keepsSimpler: Bool
  let attempt: @Sendable (Value, Swap?) async throws -> Trials.Attempt
  /// The numbers and texts of other actions, which swap their values too.
  var others: Set<Value> = []
  /// The same by the name of their places: two different ids do not become one.
  var named: [String: Set<Value>] = [:]
  /// Those of answers and reads, which keep theirs.
  var fixed: Set<Value> = []
  private(set) var notes: [PayloadNote] = []
  /// The result of the last value that was not enough.
  private var miss = Trials.Attempt.fails

  init(
    keepsSimpler: Bool,
    _ attempt: @escaping @Sendable (Value, Swap?) async throws -> Trials.Attempt
  ) {
    self.keepsSimpler = keepsSimpler
    self.attempt = attempt
  }

  private mutating func happens(_ value: Value, _ swap: Swap? = nil) async throws -> Bool {
    let attempt = try await attempt(value, swap)
    if attempt != .works { miss = attempt }
    return attempt == .works
  }

  mutating func simplify(_ whole: Value, at place: Pointer = []) async throws -> Value {
    guard let part = whole[place], !fixed.contains(part) else { return whole }
    switch part {
    case .null: return whole
    case .bool(let flag):
      guard flag else { return whole }
      return try await replace(whole, place, by: [.bool(false)])
    case .number(let number): return try await simplify(number, in: whole, at: place)
    case .string(let text):
      guard !text.isEmpty else { return whole }
      let taken = others.union(fixed).union(whole.scalars.values)
      let simpler = ["", .string(String(text.prefix(1)))].filter { !taken.contains($0) }
      // Where none can be tried, nothing is known.
      return simpler.isEmpty ? whole : try await replace(whole, place, by: simpler)
    case .array(let array): return try await simplify(array, in: whole, at: place)
    case .object(let object):
      var whole = whole
      // The type of a Redux action is its name.
      for member in object where !(place.isRoot && member.key == "type") {
        whole = try await simplify(whole, at: place.appending(member.key))
      }
      return whole
    }
  }

  private mutating func replace(
    _ whole: Value, _ place: Pointer, by simpler: [Value]
  ) async throws -> Value {
    var misses = simpler.isEmpty ? [miss] : []
    for value in simpler {
      if let changed = try await tried(value, in: whole, at: place) { return changed }
      misses.append(miss)
    }
    notes.append(
      PayloadNote(
        place: place, value: whole[place] ?? .null, isNeeded: true,
        isGuess: misses.contains(.guess), isFewer: misses.contains(.fewer)))
    return whole
  }

  /// The whole that the search goes on with; nil if the simpler part does not reach the goal.
  private mutating func tried(
    _ value: Value, in whole: Value, at place: Pointer
  ) async throws -> Value? {
    let (changed, swap) = swapped(value, in: whole, at: place)
    guard try await happens(changed, swap) else { return nil }
    notes.append(PayloadNote(place: place, value: value))
    return keepsSimpler ? changed : whole
  }

  private mutating func simplify(
    _ number: Number, in whole: Value, at place: Pointer
  ) async throws -> Value {
    if number == Number(0) || number.doubleValue == 0 { return whole }
    let others = place.tokens.last.flatMap { named[$0] } ?? []
    if others.contains(0), !others.contains(.number(number)) { return whole }
    if let zero = try await tried(0, in: whole, at: place) { return zero }
    guard let decimal = Decimal(number) else { return try await replace(whole, place, by: []) }
    var whole = whole
    var (works, fails) = (decimal.units, 0)
    while let middle = middle(between: fails, and: works, of: decimal, in: whole) {
      let (nearer, swap) = swapped(decimal.value(middle), in: whole, at: place)
      if try await happens(nearer, swap) {
        works = middle
        if keepsSimpler { whole = nearer }
      } else {
        fails = middle
      }
    }
    notes.append(
      PayloadNote(
        place: place, value: decimal.value(works), failing: fails == 0 ? 0 : decimal.value(fails),
        isNeeded: true, isGuess: miss == .guess, isFewer: miss == .fewer))
    return whole
  }

  /// A number that is nowhere else: the two would go on as one.
  private func middle(
    between fails: Int, and works: Int, of decimal: Decimal, in whole: Value
  ) -> Int? {
    let (middle, taken) = (fails + (works - fails) / 2, whole.scalars.values)
    let near = (0...8).lazy.flatMap { [middle - $0, middle + $0] }
    return near.first { number in
      let value = decimal.value(number)
      return fails < number && number < works && !others.contains(value)
        && !fixed.contains(value) && !taken.contains(value)
    }
  }

  private func swapped(
    _ new: Value, in whole: Value, at place: Pointer
  ) -> (whole: Value, swap: Swap?) {
    switch whole[place] {
    case .number(let old)?: (whole.swapping((.number(old), new)), (.number(old), new))
    case .string(let old)?: (whole.swapping((.string(old), new)), (.string(old), new))
    default: (whole.replacing(place, by: new), nil)
    }
  }

  private mutating func simplify(
    _ array: ValueArray, in whole: Value, at place: Pointer
  ) async throws -> Value {
    guard array.count > 0 else { return whole }
    func isShared(_ value: Value) -> Bool {
      value.scalars.values.contains { others.contains($0) || fixed.contains($0) }
    }
    if !isShared(.array(array)), let empty = try await tried([], in: whole, at: place) {
      return empty
    }
    var whole = whole
    var kept = Array(array)
    for index in kept.indices.reversed()
    where keepsSimpler && kept.count > 1 && !isShared(kept[index]) {
      var shorter = kept
      shorter.remove(at: index)
      let changed = whole.replacing(place, by: .array(ValueArray(shorter)))
      guard try await happens(changed) else { continue }
      (whole, kept) = (changed, shorter)
    }
    for index in kept.indices {
      whole = try await simplify(whole, at: place.appending(index))
    }
    return whole
  }
}

extension [PayloadNote] {
  /// With newer notes, which replace those of their places.
  func merged(with newer: Self) -> Self {
    filter { note in !newer.contains { $0.place == note.place } } + newer
  }
}

package struct PayloadNote: Sendable, Hashable {
  package var place: Pointer
  package var value: Value
  /// The next value nearer to 0, which does not reach it.
  package var failing: Value?
  package var isNeeded = false
  /// Whether a simpler value reaches it too, but only as a guess.
  package var isGuess = false
  /// Whether a simpler value reaches it too, but then fewer actions are enough.
  package var isFewer = false
  /// The other actions that have the same value, and changed with it.
  package var alsoIn: [Int] = []
}

private struct Decimal {
  private let digits: Int
  private let isNegative: Bool
  let units: Int

  /// Nil for numbers with exponents or too many digits.
  init?(_ number: Number) {
    var text = Value.number(number).text()[...]
    isNegative = text.hasPrefix("-")
    if isNegative { text = text.dropFirst() }
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first, parts.count < 2 || parts[1].count < 7,
      let units = Int(whole + (parts.count > 1 ? parts[1] : ""))
    else { return nil }
    digits = parts.count > 1 ? parts[1].count : 0
    self.units = units
  }

  func value(_ units: Int) -> Value {
    let text = String(units)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let parts = digits == 0 ? padded : "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    return (try? Value(parsing: (isNegative && units > 0 ? "-" : "") + parts)) ?? 0
  }
}

extension Value {
  /// The numbers and texts in it by place, without the name of a Redux action.
  var scalars: [Pointer: Value] {
    var found: [Pointer: Value] = [:]
    var waiting: [(place: Pointer, value: Value)] = [([], self)]
    while let (place, value) = waiting.popLast() {
      switch value {
      case .object(let object):
        for member in object { waiting.append((place.appending(member.key), member.value)) }
      case .array(let array):
        for index in array.indices { waiting.append((place.appending(index), array[index])) }
      case .number, .string: if place != ["type"] { found[place] = value }
      case .null, .bool: break
      }
    }
    return found
  }

  func swapping(_ swap: ValueSimplifier.Swap) -> Value {
    let places = scalars.filter { $0.value == swap.old }.keys
    return (try? Patch(places.map { .replace($0, swap.new) }).applied(to: self)) ?? self
  }

  fileprivate func replacing(_ place: Pointer, by value: Value) -> Value {
    if place.isRoot { return value }
    return (try? Patch([.replace(place, value)]).applied(to: self)) ?? self
  }
}
