import ValueTree

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
        time: Duration(decimalSeconds: fields.optional("time"))))
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
  init(_ fields: ValueFields) throws(ValueFieldError) {
    var step = try Step(head: fields, number: try fields.number("step"))
    step.reads = try fields.list("reads", Read.init(line:at:))
    step.isSkipped = fields.bool("skipped")
    step.error = try fields.optionalString("error")
    step.standing = try Standing(fields.optional("standing"))
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
      cause: try Cause(fields.optional("cause")))
  }
}

extension Cause {
  init(_ value: Value?) throws(ValueFieldError) {
    switch value {
    case nil, "user": self = .user
    case .some(let value):
      if let number = value["effect"].flatMap(ValueFields.number) {
        self = .effect(number)
      } else if let step = value["output"].flatMap(ValueFields.number) {
        self = .output(of: step)
      } else {
        throw ValueFieldError(
          place: "line.cause", expected: "\"user\", {\"effect\":n} or {\"output\":n}")
      }
    }
  }
}

extension Standing {
  fileprivate init?(_ value: Value?) throws(ValueFieldError) {
    guard let value else { return nil }
    guard case .string(let first) = value[0], let values = Values(rawValue: first),
      case .string(let second) = value[1], let outcome = Outcome(rawValue: second)
    else { throw ValueFieldError(place: "line.standing", expected: "two known words") }
    self.init(values, outcome)
  }
}

extension EffectEvent {
  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    let kind: Kind
    switch try fields.string("event") {
    case "started": kind = .started(try EffectOrigin(fields))
    case "finished": kind = .finished
    case "failed": kind = .failed(try fields.optionalString("message") ?? "")
    case "cancelled": kind = .cancelled
    case let other:
      throw ValueFieldError(place: "line.event", expected: "a known event, not \"\(other)\"")
    }
    self.init(
      effect: try fields.number("effect"), step: try fields.number("after"),
      time: Duration(decimalSeconds: fields.optional("time")), kind: kind,
      isFromOutside: fields.bool("outside"))
  }
}

extension EffectOrigin {
  init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.number("from"), name: try fields.optionalString("name"),
      file: try fields.optionalString("file") ?? "", line: try fields.optionalNumber("line") ?? 0,
      cancelID: try fields.optionalString("cancel"),
      ordinal: try fields.optionalNumber("ordinal") ?? 0,
      pause: Duration(decimalSeconds: fields.optional("pause")))
  }
}

extension Read {
  init(line value: Value, at place: String) throws(ValueFieldError) {
    try self.init(line: try ValueFields(value, at: place), key: "key")
  }

  fileprivate init(line fields: ValueFields, key: String) throws(ValueFieldError) {
    self.init(
      key: try fields.string(key), arguments: try fields.optionalValues("arguments"),
      outcome: try Read.Outcome(line: fields))
  }
}

extension Read.Outcome {
  fileprivate init(line fields: ValueFields) throws(ValueFieldError) {
    if let error = fields.member("error") {
      self = .failure(error)
    } else {
      self = .value(try fields.value("value"))
    }
  }
}
