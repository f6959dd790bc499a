import Platform
import SessionWords
import ValueTree

/// Redacts whole lines, and recomputes their patches.
///
/// Known members are treated as by a recorder; unknown ones are kept, and searched like any value.
struct LineRedactor {
  private var redactor: Redactor
  private let session: SessionReader
  private var state: Value?
  private var recorded: Value?
  private var lastStep: Int
  /// Whether a step since the last known state cannot be read.
  private var isTorn = false
  /// Everywhere that patches have carried a secret to.
  private(set) var carried: Set<Redactor.Place> = []
  /// Whether the words of errors are left out: a reducer that ran again may put secrets into them.
  var hidesErrors = false

  init(_ redaction: Redaction, hidden: Set<Redactor.Place>, session: SessionReader) {
    redactor = Redactor(redaction)
    redactor.named += hidden
    self.session = session
    (recorded, lastStep) = (session.header.state, session.header.firstStep)
    redactor.found = Locked([])
  }

  var found: Set<Redaction.Rule> { redactor.found?.withLock { $0 } ?? [] }
  /// The header's description of what was found.
  var descriptions: [String] {
    redactor.redaction.descriptions(of: found) + (redactor.overflows ? [Redactor.overflow] : [])
      + (redactor.hidesGaps ? [Redactor.gaps] : [])
  }

  /// Tracks secrets through a step that is not written.
  mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let value = try? Value(line: bytes), let number = value["step"].flatMap(ValueFields.int)
    else { return }
    track(value, at: number)
  }

  /// Tracks secrets through a step, and returns the state after it, if the line tells one.
  @discardableResult
  private mutating func track(_ line: Value, at number: Int) -> Value? {
    if number > lastStep + 1 { isTorn = true }
    lastStep = max(lastStep, number)
    if line["dropped"] == true { isTorn = true }
    guard line["patch"] != nil || line["state"] != nil else { return nil }
    guard let after = try? session.state(after: number) else {
      isTorn = true
      return nil
    }
    let patch = line["patch"].flatMap { try? Patch($0) }
    // A state beside a patch that does not lead to it came from elsewhere.
    if line["state"] != nil, let patch, let recorded, (try? patch.applied(to: recorded)) != after {
      isTorn = true
    }
    track(patch, to: after)
    return after
  }

  private mutating func track(_ patch: Patch?, to after: Value) {
    if isTorn {
      redactor.hideChange(from: recorded, to: after)
    } else if let recorded {
      redactor.track(patch ?? Patch(from: recorded, to: after), from: recorded)
    }
    (recorded, isTorn) = (after, false)
    carried.formUnion(redactor.carried)
  }

  mutating func header(_ header: SessionHeader) -> SessionHeader {
    (recorded, lastStep) = (header.state, header.firstStep)
    let header = redactor.header(header)
    state = header.state
    return header
  }

  /// The redacted line with its line end; nil if it can be copied. Unreadable lines are left out.
  mutating func line(_ bytes: UnsafeBufferPointer<UInt8>) throws(SessionError) -> [UInt8]? {
    guard !redactor.redaction.isEmpty else { return nil }
    guard let value = try? Value(line: bytes),
      case .object(let object) = value, let first = object.first?.key
    else { return [] }
    // No line may pass for a part of one.
    let kind = Self.parts.contains(first) ? "" : first
    var members =
      object.filter { kind != "step" || $0.key != "patch" && $0.key != "state" }
      .map { edited($0, of: kind, in: object) }
    if kind == "step", let number = ValueFields.int(object[first] ?? .null) {
      try addState(after: number, of: object, to: &members)
      redactSet(at: number, in: &members)
    }
    if kind == "lost", object[first] != [] {
      (state, isTorn) = (nil, true)
      if case .lost(let steps?, _, _, _)? = try? LogLine(value) { lastStep = steps.upperBound }
      members = members.filter { $0.key != "state" }
      if let known = object["state"] {
        track(nil, to: known)
        members.append(("state", redactor.state(known)))
      }
    }
    return Value.object(ValueObject(members)).bytes() + [UInt8(ascii: "\n")]
  }

  private static let parts = ["cause", "entry"]
  /// The members with only numbers and words of the format.
  private static let plain: [String: Set<String>] = [
    "step": ["step", "keyframe", "time", "skipped", "dropped", "standing"],
    "begin": ["begin", "time"],
    "effect": [
      "effect", "event", "after", "time", "from", "ordinal", "line", "pause", "outside", "alone",
    ],
    "read": ["effect", "after", "begin", "time", "took", "cancelled"],
    "signpost": ["after", "time"],
    "cause": ["effect", "output"],
    "end": ["end", "time"],
    "lost": ["lost", "lines"],
  ]

  private static let sources: [String: [String: Redaction.Source]] = [
    "step": ["label": .label, "action": .action, "error": .message, "stack": .message],
    "begin": ["label": .label, "action": .action],
    "effect": ["message": .message, "name": .name, "file": .name, "cancel": .cancelID],
    "read": ["read": .name], "entry": ["key": .name],
    "signpost": ["signpost": .signpost],
    "tape": ["tape": .name],
    "lost": ["because": .message],
  ]

  private func edited(
    _ member: ValueObject.Element, of kind: String, in object: ValueObject
  ) -> ValueObject.Element {
    let (key, value) = member
    if Self.plain[kind]?.contains(key) == true, Self.isPlain(value) { return member }
    if let source = Self.sources[kind]?[key] {
      let isLeftOut = hidesErrors && source == .message && value != .null
      return (key, isLeftOut ? Redaction.placeholder : redactor.value(value, source))
    }
    switch (kind, key) {
    case ("step", "cause"), ("begin", "cause"):
      return (key, Self.isPlain(value) ? value : edited(value, of: "cause"))
    case ("step", "reads"):
      guard case .array(let reads) = value else { return (key, redactor.value(value, .signpost)) }
      return (key, .array(ValueArray(reads.map { edited($0, of: "entry") })))
    case ("read", "value"), ("read", "error"), ("read", "arguments"):
      return (key, partOfRead(member, of: object["read"]))
    case ("entry", "value"), ("entry", "error"), ("entry", "arguments"):
      return (key, partOfRead(member, of: object["key"]))
    case ("signpost", "value"):
      let signpost = Signpost(object["signpost"]?.string ?? "", step: 0, value: value)
      return (key, redactor.signpost(signpost).value ?? .null)
    default: return redactor.members([key: value]).first ?? member
    }
  }

  private func edited(_ value: Value, of kind: String) -> Value {
    guard case .object(let object) = value else { return redactor.value(value, .signpost) }
    return .object(ValueObject(object.map { edited($0, of: kind, in: object) }))
  }

  /// Whether the format defines the value, so that it cannot be a secret.
  private static func isPlain(_ value: Value) -> Bool {
    switch value {
    case .number, .bool, .null: true
    case .string(let word): words.contains(word)
    case .array(let values): values.allSatisfy(isPlain)
    case .object: false
    }
  }

  private static let words: Set<String> = Set(
    ["user", "outside", "unknown", "started", "finished", "failed", "cancelled"]
      + Standing.Values.allCases.map(\.rawValue)
      + Standing.Outcome.allCases.map(\.rawValue))

  private func partOfRead(_ member: ValueObject.Element, of key: Value?) -> Value {
    guard let key = key?.string else { return redactor.value(member.value, .signpost) }
    if member.key == "arguments", case .array(let arguments) = member.value {
      let read = redactor.read(Read(key: key, arguments: Array(arguments), value: .null))
      return .array(ValueArray(read.arguments ?? []))
    }
    return switch redactor.read(Read(key: key, value: member.value)).outcome {
    case .value(let value), .failure(let value): value
    }
  }

  /// Redacts the part of the state that a step set, also in the action beside it.
  private func redactSet(at step: Int, in members: inout [ValueObject.Element]) {
    guard session.header.hasSetLabels || members.contains(where: { $0.key == "set" }),
      var part = try? session.step(step).set
    else { return }
    part.value = redactor.part(part.value, at: part.pointer)
    part.pointer = redactor.pointer(part.pointer)
    for index in members.indices where ["action", "set"].contains(members[index].key) {
      members[index].value = part.object.value
    }
  }

  /// The patch between redacted states, and the whole state if there was one.
  private mutating func addState(
    after number: Int, of object: ValueObject, to members: inout [ValueObject.Element]
  ) throws(SessionError) {
    let isTold = object["patch"] != nil || object["state"] != nil
    guard let after = track(.object(object), at: number) else {
      if isTold { state = nil }
      return
    }
    let redacted = redactor.state(after)
    if let state {
      members.append(("patch", Patch(from: state, to: redacted).value))
    }
    if state == nil || object["state"] != nil { members.append(("state", redacted)) }
    if state == nil, object["keyframe"] == nil { members.insert(("keyframe", true), at: 1) }
    state = redacted
  }
}
