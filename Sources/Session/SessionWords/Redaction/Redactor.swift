import Platform
import ValueTree

/// Applies a ``Redaction``. It remembers the last state, and skips parts with the same storage.
package struct Redactor {
  /// A place in the state: a redacted path, or the target of an operation that carried its value.
  package struct Place: Sendable, Hashable {
    package var rule: Redaction.Rule
    package var tokens: [String]

    package init(_ rule: Redaction.Rule, _ tokens: [String]) {
      self.rule = rule
      self.tokens = tokens
    }
  }

  package let redaction: Redaction
  package var found: Locked<Set<Redaction.Rule>>?
  package var named: [Place]
  package var carried: [Place] = [] {
    didSet { if carried != oldValue { lastState = nil } }
  }
  /// Whether there were too many carried secrets to follow.
  package var overflows = false
  /// Whether steps could not be read, so that what they changed is hidden.
  package var hidesGaps = false
  private let keys: Set<String>
  private let anyCase: [String: String]
  private let quoted: QuotedKeys
  private var lastState: (before: Value, after: Value)?

  package init(_ redaction: Redaction) {
    self.redaction = redaction
    keys = Set(redaction.keys)
    anyCase = Dictionary(
      redaction.keysInAnyCase.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first }
    )
    // Other spellings of a key may be longer.
    quoted = QuotedKeys(
      longest: 3 * ((redaction.keys + redaction.keysInAnyCase).map(\.utf16.count).max() ?? 0))
    named = redaction.paths.map { Place(.path($0), Pointer(meantBy: $0).tokens) }
  }

  package mutating func state(_ value: Value) -> Value {
    guard !redaction.isEmpty else { return value }
    let result = Pass(redactor: self, source: .state)
      .redact(value, at: [], paths: named + carried, known: lastState)
    lastState = (value, result)
    return result
  }

  package func value(_ value: Value, _ source: Redaction.Source) -> Value {
    guard !redaction.isEmpty else { return value }
    return Pass(redactor: self, source: source).redact(value, at: [], paths: [], known: nil)
  }

  /// The value at a place of the state, without these places inside it.
  package func part(_ value: Value, at place: [String], without secrets: [Place]) -> Value {
    Pass(redactor: self, source: .state).redact(value, at: place, paths: secrets, known: nil)
  }

  package func text(_ text: String, _ source: Redaction.Source) -> String {
    value(.string(text), source).string ?? Redaction.marker()
  }

  package func rule(forKey key: String) -> Redaction.Rule? {
    if keys.contains(key) { return .key(key) }
    guard !anyCase.isEmpty else { return nil }
    return anyCase[key.lowercased()].map(Redaction.Rule.keyInAnyCase)
  }

  private func isUnderSecretKey(_ key: String) -> Bool {
    guard let rule = rule(forKey: key) else { return false }
    recordUse(rule)
    return true
  }

  private func recordUse(_ rule: Redaction.Rule) { found?.withLock { _ = $0.insert(rule) } }

  private func isTakenOut(_ value: Value, _ place: () -> Redaction.Place) -> Bool {
    let text: String? =
      switch value {
      case .string(let text): text
      case .number(let number): redaction.patterns.isEmpty ? nil : number.text
      default: nil
      }
    var isFound = false
    if let text {
      for (index, pattern) in redaction.patterns.enumerated() where pattern.isFound(in: text) {
        recordUse(.pattern(index))
        isFound = true
      }
    }
    guard !isFound, let predicate = redaction.predicate, predicate(place(), value) else {
      return isFound
    }
    recordUse(.predicate)
    return true
  }

  package func read(_ read: Read) -> Read {
    guard !redaction.isEmpty else { return read }
    var redacted = read
    redacted.key = text(read.key, .name)
    let source = Redaction.Source.read(key: read.key)
    let isSecret = isUnderSecretKey(read.key)
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

  /// A step without secrets, but for the part of the state that it set.
  package func step(_ step: Step) -> Step {
    guard !redaction.isEmpty else { return step }
    var step = step
    step.label = text(step.label, .label)
    step.action = value(step.action, .action)
    step.reads = step.reads.map(read)
    step.error = step.error.map { text($0, .message) }
    step.stack = step.stack.map { text($0, .message) }
    if case .outside(let name?) = step.cause { step.cause = .outside(text(name, .name)) }
    return step
  }

  package func signpost(_ signpost: Signpost) -> Signpost {
    guard !redaction.isEmpty else { return signpost }
    var redacted = signpost
    redacted.text = text(signpost.text, .signpost)
    redacted.value = signpost.value.map {
      isUnderSecretKey(signpost.text) ? Redaction.placeholder : value($0, .signpost)
    }
    return redacted
  }

  package func event(_ event: EffectEvent) -> EffectEvent {
    guard !redaction.isEmpty else { return event }
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

  package mutating func header(_ header: SessionHeader) -> SessionHeader {
    guard !redaction.isEmpty else { return header }
    var header = header
    header.session = header.session.map { text($0, .name) }
    header.started = header.started.map { text($0, .name) }
    header.redacted = header.redacted.map { text($0, .message) }
    header.state = header.state.map { state($0) }
    header.effects = header.effects.map { effect in
      var effect = effect
      effect.origin = origin(effect.origin)
      effect.unknown = members(effect.unknown)
      return effect
    }
    header.tape = header.tape.map { text($0, .name) }
    header.app = header.app.map { app in
      var app = app
      app.name = text(app.name, .name)
      app.version = app.version.map { text($0, .name) }
      app.unknown = members(app.unknown)
      return app
    }
    header.origin = header.origin.map { origin in
      var origin = origin
      origin.format = text(origin.format, .name)
      origin.file = origin.file.map { text($0, .name) }
      origin.statesBy = origin.statesBy.map { text($0, .name) }
      origin.unknown = members(origin.unknown)
      return origin
    }
    if case .browse(let reason) = header.capability {
      header.capability = .browse(because: text(reason, .message))
    }
    header.unknown = members(header.unknown)
    return header
  }

  /// Members that the format does not know.
  package func members(_ members: ValueObject) -> ValueObject {
    guard case .object(let object) = value(.object(members), .signpost) else { return [:] }
    return object
  }

  private struct Pass {
    let redactor: Redactor
    let source: Redaction.Source

    func redact(
      _ value: Value, at place: [String], paths: [Place], known: (before: Value, after: Value)?
    ) -> Value {
      if let known, value.isIdentical(to: known.before) { return known.after }
      if isTakenOut(value, at: place, paths) { return Redaction.placeholder }
      switch value {
      case .object(let object):
        let names = names(of: object, at: place)
        return .object(
          ValueObject(
            object.map { member in
              let name = names[member.key] ?? member.key
              if redactor.isUnderSecretKey(member.key) {
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
      case .string(let text): return .string(redact(json: text, at: place) ?? text)
      default: return value
      }
    }

    private func redact(json text: String, at place: [String]) -> String? {
      guard let first = text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }),
        "{[\"".utf8.contains(first), let value = try? Value(parsing: text)
      else {
        let isSecret = redactor.quoted.isFound(in: text, where: redactor.isUnderSecretKey)
        return isSecret ? Redaction.marker() : nil
      }
      // Nested texts share the depth limit of one value.
      guard place.count <= 1_000 else { return Redaction.marker() }
      let redacted = redact(value, at: place + [""], paths: [], known: nil)
      // Of members with one key, the value has only the last.
      let isWhole = Self.members(of: value) == Self.members(inText: text)
      return redacted == value && isWhole ? nil : redacted.text()
    }

    private static func members(of value: Value) -> Int {
      switch value {
      case .object(let object): object.reduce(object.count) { $0 + members(of: $1.value) }
      case .array(let array): array.reduce(0) { $0 + members(of: $1) }
      default: 0
      }
    }

    private static func members(inText text: String) -> Int {
      var text = text
      return text.withUTF8 { ValueScanner($0).countOutsideTexts { $0 == UInt8(ascii: ":") } }
    }

    private func inside(
      _ known: (before: Value, after: Value)?, _ child: (Value) -> Value?
    ) -> (before: Value, after: Value)? {
      guard let known, let before = child(known.before), let after = child(known.after) else {
        return nil
      }
      return (before, after)
    }

    private func isTakenOut(_ value: Value, at place: [String], _ paths: [Place]) -> Bool {
      let own = paths.filter(\.tokens.isEmpty)
      for path in own { redactor.recordUse(path.rule) }
      return !own.isEmpty
        || redactor.isTakenOut(value) {
          Redaction.Place(source, path: Pointer(tokens: place).description)
        }
    }

    /// The replacements of redacted keys.
    private func names(of object: ValueObject, at place: [String]) -> [String: String] {
      func isSecret(_ key: String) -> Bool {
        redactor.isTakenOut(.string(key)) {
          Redaction.Place(.key, path: Pointer(tokens: place).description)
        } || redact(json: key, at: place) != nil
      }
      var names: [String: String] = [:]
      var number = 0
      for key in object.map(\.key) where isSecret(key) {
        var name: String
        repeat {
          number += 1
          name = Redaction.marker(number)
        } while object[name] != nil
        names[key] = name
      }
      return names
    }

    private func below(_ token: String, _ paths: [Place]) -> [Place] {
      paths.compactMap { path in
        guard let first = path.tokens.first, first == "*" || first == token else { return nil }
        return Place(path.rule, Array(path.tokens.dropFirst()))
      }
    }
  }
}
