import ValueTree

/// Takes out what a ``Redaction`` names. It remembers the last state: a part that is the same storage
/// as before is not looked at again.
package struct Redactor {
  package let redaction: Redaction
  private let keys: Set<String>
  private let paths: [[String]]
  private var lastState: (before: Value, after: Value)?

  package init(_ redaction: Redaction) {
    self.redaction = redaction
    keys = Set(redaction.keys)
    paths = redaction.paths.map { path in
      path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
    }
  }

  package mutating func state(_ value: Value) -> Value {
    guard !redaction.isEmpty else { return value }
    let result = Pass(redactor: self, source: .state)
      .redact(value, at: [], paths: paths, known: lastState)
    lastState = (value, result)
    return result
  }

  package func value(_ value: Value, _ source: Redaction.Source) -> Value {
    guard !redaction.isEmpty else { return value }
    return Pass(redactor: self, source: source).redact(value, at: [], paths: [], known: nil)
  }

  package func text(_ text: String, _ source: Redaction.Source) -> String {
    guard redaction.predicate?(Redaction.Place(source, path: ""), .string(text)) == true else {
      return text
    }
    return "<redacted>"
  }

  package func read(_ read: Read) -> Read {
    guard !redaction.isEmpty else { return read }
    var redacted = read
    redacted.key = text(read.key, .name)
    let source = Redaction.Source.read(key: read.key)
    let isSecret = keys.contains(read.key)
    redacted.arguments = read.arguments?.map {
      isSecret ? Redaction.placeholder : value($0, source)
    }
    switch read.outcome {
    case _ where isSecret: redacted.outcome = .value(Redaction.placeholder)
    case .value(let given): redacted.outcome = .value(value(given, source))
    case .failure(let error): redacted.outcome = .failure(value(error, source))
    }
    return redacted
  }

  package func event(_ event: EffectEvent) -> EffectEvent {
    guard redaction.predicate != nil else { return event }
    var event = event
    switch event.kind {
    case .failed(let message): event.kind = .failed(text(message, .message))
    case .started(let origin): event.kind = .started(self.origin(origin))
    case .finished, .cancelled: break
    }
    return event
  }

  package func origin(_ origin: EffectOrigin) -> EffectOrigin {
    var origin = origin
    origin.cancelID = origin.cancelID.map { text($0, .cancelID) }
    origin.name = origin.name.map { text($0, .name) }
    origin.file = text(origin.file, .name)
    return origin
  }

  /// One walk through one value.
  private struct Pass {
    let redactor: Redactor
    let source: Redaction.Source

    func redact(
      _ value: Value, at place: [String], paths: [[String]], known: (before: Value, after: Value)?
    ) -> Value {
      if let known, value.isIdentical(to: known.before) { return known.after }
      if isTakenOut(value, at: place, paths) { return Redaction.placeholder }
      switch value {
      case .object(let object):
        let names = names(of: object, at: place)
        return .object(
          ValueObject(
            object.map { member in
              let name = names.name(member.key)
              if redactor.keys.contains(member.key) {
                return (key: name, value: Redaction.placeholder)
              }
              let value = redact(
                member.value, at: place + [member.key], paths: below(member.key, paths),
                known: inside(known) { $0[member.key] })
              return (key: name, value: value)
            }))
      case .array(let array):
        return .array(
          ValueArray(
            array.enumerated().map { index, element in
              redact(
                element, at: place + ["\(index)"], paths: below("\(index)", paths),
                known: inside(known) { $0[index] })
            }))
      default: return value
      }
    }

    private func inside(
      _ known: (before: Value, after: Value)?, _ child: (Value) -> Value?
    ) -> (before: Value, after: Value)? {
      guard let known, let before = child(known.before), let after = child(known.after) else {
        return nil
      }
      return (before, after)
    }

    private func isTakenOut(_ value: Value, at place: [String], _ paths: [[String]]) -> Bool {
      if paths.contains(where: \.isEmpty) { return true }
      guard let predicate = redactor.redaction.predicate else { return false }
      let path = Pointer(tokens: place).description
      return predicate(Redaction.Place(source, path: path), value)
    }

    private func names(of object: ValueObject, at place: [String]) -> RedactedNames {
      guard let predicate = redactor.redaction.predicate else { return RedactedNames() }
      let place = Redaction.Place(.key, path: Pointer(tokens: place).description)
      return RedactedNames(
        object.map(\.key).filter { predicate(place, .string($0)) }, in: object)
    }

    private func below(_ token: String, _ paths: [[String]]) -> [[String]] {
      paths.compactMap { path in
        guard let first = path.first, first == "*" || first == token else { return nil }
        return Array(path.dropFirst())
      }
    }
  }
}

/// What stands in place of keys that must not be written: `<redacted>`, `<redacted 2>` and so on.
private struct RedactedNames {
  private var names: [String: String] = [:]

  init() {}

  init(_ keys: [String], in object: ValueObject) {
    var number = 1
    for key in keys {
      var name: String
      repeat {
        name = number == 1 ? "<redacted>" : "<redacted \(number)>"
        number += 1
      } while object[name] != nil
      names[key] = name
    }
  }

  func name(_ key: String) -> String { names.isEmpty ? key : names[key] ?? key }
}
