import ValueTree

extension LogLine {
  /// The text of the line with its line end.
  package var bytes: [UInt8] { object.bytes }

  private var object: LineObject {
    var line = LineObject()
    switch self {
    case .step(let step): line.add(step)
    case .begin(let step):
      line.add("begin", step.number)
      line.addHead(of: step)
    case .effect(let event): line.add(event)
    case .read(let read): line.add(read)
    case .readBegun(let read, let step):
      line.add("read", read.key)
      line.add("begin", step)
      line.add("arguments", read.argumentsValue)
      line.add(read.outcome)
    case .signpost(let signpost):
      line.add("signpost", signpost.text)
      line.add("after", signpost.step)
      line.add("time", signpost.time)
      line.add("value", signpost.value)
    case .tape(let key): line.add("tape", key)
    case .end(let step, let time):
      line.add("end", step)
      line.add("time", time)
    case .lost(let steps, let lines, let reason):
      let bounds = steps.map { [$0.lowerBound, $0.upperBound] } ?? []
      line.add("lost", .array(ValueArray(bounds.map { .number(Number($0)) })))
      if lines > 0 { line.add("lines", lines) }
      line.add("because", reason)
    case .unknown(let key): line.add(key, Value.null)
    }
    return line
  }
}

extension LineObject {
  package mutating func add(_ line: StepLine) {
    let step = line.step
    add("step", step.number)
    add("keyframe", onlyIf: line.state != nil)
    addHead(of: step)
    add("reads", list: step.reads.map(\.value))
    add("skipped", onlyIf: step.isSkipped)
    add("error", step.error)
    add("stack", step.stack)
    if let standing = step.standing {
      add("standing", [.string(standing.values.rawValue), .string(standing.outcome.rawValue)])
      add("assumptions", list: standing.assumptions.map(\.value))
    }
    add("dropped", onlyIf: line.isStateDropped)
    add("patch", line.patch)
    add("state", line.state)
  }

  fileprivate mutating func addHead(of step: Step) {
    add("time", step.time)
    add("label", step.label)
    add("action", step.action)
    add("cause", step.cause.value)
  }

  fileprivate mutating func add(_ event: EffectEvent) {
    add("effect", event.effect)
    add("event", event.kind.word)
    add("after", event.step)
    add("time", event.time)
    switch event.kind {
    case .started(let origin): add(origin)
    case .failed(let message): add("message", message)
    case .finished, .cancelled: break
    }
    add("outside", onlyIf: event.isFromOutside)
    add("alone", onlyIf: event.isAlone)
  }

  mutating func add(_ origin: EffectOrigin) {
    add("from", origin.step)
    add("ordinal", origin.ordinal)
    add("name", origin.name)
    add("file", origin.file)
    add("line", origin.line)
    add("cancel", origin.cancelID)
    add("pause", origin.pause)
  }

  fileprivate mutating func add(_ read: OutsideRead) {
    add("read", read.read.key)
    add("effect", read.effect)
    add("after", read.step)
    add("time", read.time)
    add("took", read.took)
    add("arguments", read.read.argumentsValue)
    add(read.read.outcome)
  }

  mutating func add(_ outcome: Read.Outcome) {
    switch outcome {
    case .value(let value): add("value", value)
    case .failure(let error): add("error", error)
    }
  }
}

extension Read {
  package var argumentsValue: Value? { arguments.map { .array(ValueArray($0)) } }

  package var value: Value {
    var line = LineObject()
    line.add("key", key)
    line.add("arguments", argumentsValue)
    line.add(outcome)
    return line.value
  }
}

extension Read.Outcome {
  var value: Value {
    var line = LineObject()
    line.add(self)
    return line.value
  }
}

extension EffectEvent {
  package var value: Value {
    var line = LineObject()
    line.add(self)
    return line.value
  }
}

extension EffectOrigin {
  package var value: Value {
    var line = LineObject()
    line.add(self)
    return line.value
  }
}

extension Cause {
  package var value: Value {
    switch self {
    case .user: "user"
    case .effect(let number): ["effect": .number(Number(number))]
    case .output(let step): ["output": .number(Number(step))]
    }
  }
}

extension EffectEvent.Kind {
  fileprivate var word: String {
    switch self {
    case .started: "started"
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

extension LogLine {
  /// The line of a parsed text; the error says which member is missing or wrong.
  package init(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "line")
    guard case .object(let object) = value, let first = object.first?.key else {
      throw ValueFieldError(place: "line", expected: "a member")
    }
    switch first {
    case "step": self = .step(try StepLine(fields))
    case "begin": self = .begin(try Step(head: fields, number: try fields.number("begin")))
    case "effect": self = .effect(try EffectEvent(fields))
    case "read": self = try Self.read(fields)
    case "signpost":
      self = .signpost(
        Signpost(
          try fields.string("signpost"), step: try fields.number("after"),
          time: Duration(decimalSeconds: value["time"]), value: value["value"]))
    case "tape": self = .tape(key: try fields.string("tape"))
    case "end":
      self = .end(step: try fields.number("end"), time: Duration(decimalSeconds: value["time"]))
    case "lost": self = try Self.lost(fields)
    default: self = .unknown(key: first)
    }
  }

  private static func read(_ fields: ValueFields) throws(ValueFieldError) -> LogLine {
    let read = try Read(line: fields, key: "read")
    if let step = try fields.optionalNumber("begin") { return .readBegun(read, step: step) }
    return .read(
      OutsideRead(
        read, effect: try fields.optionalNumber("effect"), step: try fields.number("after"),
        time: Duration(decimalSeconds: fields.optional("time")),
        took: Duration(decimalSeconds: fields.optional("took"))))
  }

  private static func lost(_ fields: ValueFields) throws(ValueFieldError) -> LogLine {
    let bounds = try fields.list("lost") { (value, place) throws(ValueFieldError) -> Int in
      guard let number = ValueFields.number(value) else {
        throw ValueFieldError(place: place, expected: "a whole number")
      }
      return number
    }
    guard bounds.isEmpty || bounds.count == 2 && bounds[0] <= bounds[1] else {
      throw ValueFieldError(place: "line.lost", expected: "a first and a last step, or none")
    }
    return .lost(
      steps: bounds.first.map { $0...bounds[1] },
      lines: try fields.optionalNumber("lines") ?? 0,
      because: try fields.optionalString("because") ?? "")
  }
}

extension StepLine {
  package init(_ fields: ValueFields) throws(ValueFieldError) {
    var step = try Step(head: fields, number: try fields.number("step"))
    step.reads = try fields.list("reads", Read.init)
    step.isSkipped = fields.bool("skipped")
    step.error = try fields.optionalString("error")
    step.stack = try fields.optionalString("stack")
    step.standing = try Standing(fields)
    step.standing?.assumptions = try fields.list("assumptions", Assumption.init)
    self.init(
      step, patch: fields.optional("patch"), state: fields.member("state"),
      isStateDropped: fields.bool("dropped"))
  }
}

extension Step {
  fileprivate init(head fields: ValueFields, number: Int) throws(ValueFieldError) {
    self.init(
      number: number, time: Duration(decimalSeconds: fields.optional("time")),
      label: try fields.optionalString("label") ?? "", action: fields.member("action") ?? .null,
      cause: try Cause(fields.optional("cause"), at: "\(fields.place).cause"))
  }
}

extension Cause {
  package init(_ value: Value?, at place: String) throws(ValueFieldError) {
    switch value {
    case nil, "user": self = .user
    case .some(let value):
      if let number = value["effect"].flatMap(ValueFields.number) {
        self = .effect(number)
      } else if let step = value["output"].flatMap(ValueFields.number) {
        self = .output(of: step)
      } else {
        throw ValueFieldError(
          place: place, expected: "\"user\", {\"effect\":n} or {\"output\":n}")
      }
    }
  }
}

extension Standing {
  fileprivate init?(_ fields: ValueFields) throws(ValueFieldError) {
    guard let value = fields.optional("standing") else { return nil }
    guard case .string(let first) = value[0], let values = Values(rawValue: first),
      case .string(let second) = value[1], let outcome = Outcome(rawValue: second)
    else { throw ValueFieldError(place: "\(fields.place).standing", expected: "two known words") }
    self.init(values, outcome)
  }
}

extension EffectEvent {
  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    try self.init(try ValueFields(value, at: place))
  }

  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    let kind: Kind
    switch try fields.string("event") {
    case "started": kind = .started(try EffectOrigin(fields))
    case "finished": kind = .finished
    case "failed": kind = .failed(try fields.optionalString("message") ?? "")
    case "cancelled": kind = .cancelled
    case let other:
      throw fields.unknown("event", other)
    }
    self.init(
      effect: try fields.number("effect"), step: try fields.number("after"),
      time: Duration(decimalSeconds: fields.optional("time")), kind: kind,
      isFromOutside: fields.bool("outside"), isAlone: fields.bool("alone"))
  }
}

extension EffectOrigin {
  /// The keys of an origin, which stand beside those of its effect.
  static let keys: Set<String> = ["from", "ordinal", "name", "file", "line", "cancel", "pause"]

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    try self.init(try ValueFields(value, at: place))
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.number("from"), name: try fields.optionalString("name"),
      file: try fields.optionalString("file") ?? "", line: try fields.optionalNumber("line") ?? 0,
      cancelID: try fields.optionalString("cancel"),
      ordinal: try fields.optionalNumber("ordinal") ?? 0,
      pause: Duration(decimalSeconds: fields.optional("pause")))
  }
}

extension Read {
  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    try self.init(line: try ValueFields(value, at: place), key: "key")
  }

  package init(line fields: ValueFields, key: String) throws(ValueFieldError) {
    self.init(
      key: try fields.string(key), arguments: try fields.optionalValues("arguments"),
      outcome: try Read.Outcome(line: fields))
  }
}

extension Read.Outcome {
  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    try self.init(line: try ValueFields(value, at: place))
  }

  fileprivate init(line fields: ValueFields) throws(ValueFieldError) {
    // Forks that were kept by the first versions say "failure".
    if let error = fields.member("error") ?? fields.member("failure") {
      self = .failure(error)
    } else {
      self = .value(try fields.value("value"))
    }
  }
}
