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
      path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.unescaped)
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

  private static func unescaped(_ token: Substring) -> String {
    var text = ""
    var rest = token
    while let tilde = rest.firstIndex(of: "~") {
      text += rest[..<tilde]
      let next = rest.index(after: tilde)
      text += next < rest.endIndex && rest[next] == "1" ? "/" : "~"
      rest = next < rest.endIndex ? rest[rest.index(after: next)...] : ""
    }
    return text + rest
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
              let known = known.flatMap { pair -> (before: Value, after: Value)? in
                guard let before = pair.before[member.key], let after = pair.after[member.key]
                else { return nil }
                return (before, after)
              }
              return (
                key: name,
                value: redact(
                  member.value, at: place + [member.key], paths: below(member.key, paths),
                  known: known)
              )
            }))
      case .array(let array):
        return .array(
          ValueArray(
            array.enumerated().map { index, element in
              let known = known.flatMap { pair -> (before: Value, after: Value)? in
                guard let before = pair.before[index], let after = pair.after[index] else {
                  return nil
                }
                return (before, after)
              }
              return redact(
                element, at: place + ["\(index)"], paths: below("\(index)", paths), known: known)
            }))
      default: return value
      }
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

extension Value {
  /// Whether both are the same storage: equal without looking.
  fileprivate func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    default: false
    }
  }
}
