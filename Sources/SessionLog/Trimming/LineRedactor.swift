import ValueTree

/// Takes out of whole lines what a ``Redaction`` names, and makes their patches anew.
struct LineRedactor {
  private var redactor: Redactor
  private let session: SessionReader
  private var state: Value?

  init(_ redaction: Redaction, session: SessionReader) {
    redactor = Redactor(redaction)
    self.session = session
  }

  mutating func header(_ header: SessionHeader) -> SessionHeader {
    var header = header
    header.state = header.state.map { redactor.state($0) }
    header.effects = header.effects.map { effect in
      var effect = effect
      effect.origin = redactor.origin(effect.origin)
      return effect
    }
    header.tape = header.tape.map { redactor.text($0, .name) }
    header.unknown = ValueObject(
      header.unknown.map { (key: $0.key, value: redactor.value($0.value, .signpost)) })
    state = header.state
    return header
  }

  /// The line as it is to be written, with its line end; nil when it can be copied. A line that
  /// cannot be read is left out.
  mutating func line(_ bytes: UnsafeBufferPointer<UInt8>) throws(SessionError) -> [UInt8]? {
    guard !redactor.redaction.isEmpty else { return nil }
    guard let value = try? Value(line: bytes),
      case .object(let object) = value, let kind = object.first?.key
    else { return [] }
    var members: [ValueObject.Element] = []
    for member in object where member.key != "patch" && member.key != "state" {
      members.append((member.key, edited(member, of: kind, in: object)))
    }
    if kind == "step", let number = ValueFields.int(object[kind] ?? .null) {
      try addState(after: number, of: object, to: &members)
    }
    return Value.object(ValueObject(members)).bytes() + [UInt8(ascii: "\n")]
  }

  private func edited(
    _ member: ValueObject.Element, of kind: String, in object: ValueObject
  ) -> Value {
    switch (kind, member.key) {
    case (_, "label"): text(member.value, .label)
    case ("effect", "name"), ("effect", "file"), ("tape", "tape"), ("read", "read"):
      text(member.value, .name)
    case ("step", "step"), (_, "cause"), (_, "time"), (_, "after"): member.value
    case (_, "action"): redactor.value(member.value, .action)
    case ("step", "reads"): reads(member.value)
    case ("read", "value"), ("read", "error"), ("read", "arguments"):
      edited(member.key, member.value, ofRead: object["read"])
    case (_, "message"), ("step", "error"): text(member.value, .message)
    case (_, "cancel"): text(member.value, .cancelID)
    case (kind, _) where ["begin", "effect", "read", "tape", "end", "lost"].contains(kind):
      member.value
    default:
      redactor.redaction.keys.contains(member.key)
        ? Redaction.placeholder : redactor.value(member.value, .signpost)
    }
  }

  private func text(_ value: Value, _ source: Redaction.Source) -> Value {
    guard case .string(let text) = value else { return redactor.value(value, source) }
    return .string(redactor.text(text, source))
  }

  /// What a read gave, or what it was asked with.
  private func edited(_ name: String, _ value: Value, ofRead key: Value?) -> Value {
    guard case .string(let key)? = key else { return value }
    if name == "arguments", case .array(let arguments) = value {
      let read = redactor.read(Read(key: key, arguments: Array(arguments), value: .null))
      return .array(ValueArray(read.arguments ?? []))
    }
    return switch redactor.read(Read(key: key, value: value)).outcome {
    case .value(let value), .failure(let value): value
    }
  }

  private func reads(_ value: Value) -> Value {
    guard case .array(let reads) = value else { return value }
    return .array(
      ValueArray(
        reads.map { read in
          guard case .object(var object) = read, case .string(let key)? = object["key"] else {
            return read
          }
          for name in ["arguments", "value", "error"] {
            guard let value = object[name] else { continue }
            object[name] = edited(name, value, ofRead: .string(key))
          }
          object["key"] = .string(redactor.text(key, .name))
          return .object(object)
        }))
  }

  /// The patch between the states as they are written, and the whole state where one stood.
  private mutating func addState(
    after number: Int, of object: ValueObject, to members: inout [ValueObject.Element]
  ) throws(SessionError) {
    guard object["patch"] != nil || object["state"] != nil else { return }
    guard let recorded = try? session.state(after: number) else { return state = nil }
    let redacted = redactor.state(recorded)
    if let state {
      members.append(("patch", Patch(from: state, to: redacted).value))
    }
    if state == nil || object["state"] != nil { members.append(("state", redacted)) }
    if state == nil, object["keyframe"] == nil { members.insert(("keyframe", true), at: 1) }
    state = redacted
  }
}
