import Platform

/// Examples of a type, made by decoding; of an enum, one for each case.
///
/// `init(from:)` does not list what it accepts, but its errors name what is missing. So this
/// decodes an empty object, adds what is missing, and repeats: `{"save":{"_0":{"title":""}}}`. A
/// missing enum gives one example for each case, if only cases are around it.
package struct DecodingExamples<Subject: Decodable> {
  /// A value and its decoded subject; nil for examples that need the user to fill something in.
  package typealias Example = (value: Value, subject: Subject?)

  private let most: Int
  private var examples: [Example] = []
  private var tries = 0

  private static var mostTries: Int { 20_000 }

  package static func all(most: Int = 400) -> [Example] {
    var search = Self(most: most)
    search.grow([:], repairs: 0)
    return search.examples
  }

  private mutating func grow(_ value: Value, repairs: Int) {
    guard let error = trouble(value) else {
      if let subject = try? ValueDecoder().decode(Subject.self, from: value) {
        examples.append((value, subject))
      }
      return
    }
    guard repairs < 200 else { return }
    let ways = repaired(value, error)
    if ways.isEmpty, value != [:] { examples.append((value, nil)) }
    for way in ways where examples.count < most && tries < Self.mostTries {
      grow(way, repairs: repairs + 1)
    }
  }

  private mutating func trouble(_ value: Value) -> DecodingError? {
    tries += 1
    do {
      _ = try ValueDecoder().decode(Subject.self, from: value)
      return nil
    } catch {
      return error as? DecodingError
    }
  }

  private mutating func repaired(_ value: Value, _ error: DecodingError) -> [Value] {
    let place = DecodingFault(error).place
    switch error {
    case .keyNotFound: return [setting(place, .null, in: value)]
    case .typeMismatch(let type, _), .valueNotFound(let type, _):
      if let names = TypeMetadata(type).caseNames, value[place].map(isEmpty) ?? true {
        let cases = names.map { setting(place, [$0: [:]], in: value) }
        return isLabel(place, in: value) ? cases : Array(cases.prefix(1))
      }
      return first(of: ["", 0, false, [:], []], at: place, in: value, after: error)
    case .dataCorrupted:
      let texts: [Value] = ["00000000-0000-0000-0000-000000000000", "https://example.com"]
      return first(of: texts, at: place, in: value, after: error)
    @unknown default: return []
    }
  }

  private mutating func first(
    of candidates: [Value], at place: Pointer, in value: Value, after error: DecodingError
  ) -> [Value] {
    for candidate in candidates where value[place] != candidate {
      let next = setting(place, candidate, in: value)
      guard let other = trouble(next), DecodingFault(other).place == DecodingFault(error).place
      else { return [next] }
      switch other {
      case .dataCorrupted where candidate == "": return [next]
      case .typeMismatch(let type, _) where TypeMetadata(type).caseNames != nil: return [next]
      default: break
      }
    }
    return []
  }

  private func isEmpty(_ value: Value) -> Bool { value == .null || value == [:] || value == "" }

  /// Whether a case at this place is part of the label: only cases are around it.
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
