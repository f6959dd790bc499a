import Platform
import ValueTree

/// An action of each case that a type has, whether anybody recorded it or not.
///
/// Nobody can list what `init(from:)` accepts; but it says what it misses. So an empty object is
/// decoded, what is missed is added, and so on until it decodes: `{"save":{"_0":{"title":""}}}`. Where an
/// enum is missed, each of its cases is an example of its own, as long as nothing but cases is around it.
struct ActionExamples<Action: Codable> {
  private var examples: [Value] = []
  private var tries = 0

  private static var mostExamples: Int { 400 }
  private static var mostTries: Int { 20_000 }

  static var all: [Value] {
    var search = Self()
    search.grow([:], repairs: 0)
    return search.examples
  }

  private mutating func grow(_ value: Value, repairs: Int) {
    guard let error = trouble(value) else {
      if let action = try? ValueDecoder().decode(Action.self, from: value) {
        examples.append((try? ValueEncoder().encode(action)) ?? value)
      }
      return
    }
    guard repairs < 200 else { return }
    let ways = repaired(value, error)
    // What cannot be completed is shown as far as it came: whoever fills it in is told what is wrong.
    if ways.isEmpty, value != [:] { examples.append(value) }
    for way in ways where examples.count < Self.mostExamples && tries < Self.mostTries {
      grow(way, repairs: repairs + 1)
    }
  }

  private mutating func trouble(_ value: Value) -> DecodingError? {
    tries += 1
    do {
      _ = try ValueDecoder().decode(Action.self, from: value)
      return nil
    } catch {
      return error as? DecodingError
    }
  }

  private mutating func repaired(_ value: Value, _ error: DecodingError) -> [Value] {
    switch error {
    case .keyNotFound(let key, let context):
      return [setting(Pointer(context.codingPath).appending(key.stringValue), .null, in: value)]
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let place = Pointer(context.codingPath)
      if let names = TypeMetadata(type).caseNames, value[place].map(isEmpty) ?? true {
        let cases = names.map { setting(place, [$0: [:]], in: value) }
        return isLabel(place, in: value) ? cases : Array(cases.prefix(1))
      }
      return first(of: ["", 0, false, [:], []], at: place, in: value, after: error)
    case .dataCorrupted(let context):
      let texts: [Value] = ["00000000-0000-0000-0000-000000000000", "https://example.com"]
      return first(of: texts, at: Pointer(context.codingPath), in: value, after: error)
    @unknown default: return []
    }
  }

  /// The first of some values with which something else is missed at the place, or nothing.
  private mutating func first(
    of candidates: [Value], at place: Pointer, in value: Value, after error: DecodingError
  ) -> [Value] {
    for candidate in candidates where value[place] != candidate {
      let next = setting(place, candidate, in: value)
      guard let other = trouble(next), other.place == error.place else { return [next] }
      switch other {
      case .dataCorrupted where candidate == "": return [next]
      case .typeMismatch(let type, _) where TypeMetadata(type).caseNames != nil: return [next]
      default: break
      }
    }
    return []
  }

  private func isEmpty(_ value: Value) -> Bool { value == .null || value == [:] || value == "" }

  /// Whether a case at this place becomes a part of the label: around it are cases alone.
  private func isLabel(_ place: Pointer, in value: Value) -> Bool {
    var part = value
    for token in place.tokens {
      guard case .object(let object) = part, object.count == 1 || token == "action",
        let member = object[token]
      else { return false }
      part = member
    }
    return true
  }

  private func setting(_ place: Pointer, _ part: Value, in value: Value) -> Value {
    place.isRoot ? part : (try? Patch([.add(place, part)]).applied(to: value)) ?? value
  }
}

extension DecodingError {
  fileprivate var place: Pointer? {
    switch self {
    case .keyNotFound(let key, let context):
      Pointer(context.codingPath).appending(key.stringValue)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      Pointer(context.codingPath)
    @unknown default: nil
    }
  }
}
