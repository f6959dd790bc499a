import ValueTree

/// A type written as an object: in lines, sidecars and host messages.
package protocol LineCoded: LineMember {
  var object: LineObject { get }
  init(_ fields: ValueFields) throws(ValueFieldError)
}

extension LineCoded {
  package var value: Value { object.value }
  package var ofLine: Value? { value }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    try self.init(ValueFields(value, at: place))
  }
}

extension LogLine {
  package var bytes: [UInt8] { object.bytes }

  private var object: LineObject {
    switch self {
    case .step(let step): return step.object
    case .begin(let step):
      var line: LineObject = ["begin": step.number]
      line.addHead(of: step)
      return line
    case .effect(let event): return event.object
    case .read(let read): return read.object
    case .readBegun(let read, let step):
      return ["read": read.key, "begin": step] + read.answer
    case .signpost(let signpost):
      return [
        "signpost": signpost.text, "after": signpost.step, "time": signpost.time,
        "value": signpost.value,
      ]
    case .tape(let key): return ["tape": key]
    case .end(let step, let time): return ["end": step, "time": time]
    case .lost(let steps, let lines, let reason, let state):
      let bounds = steps.map { [$0.lowerBound, $0.upperBound] } ?? []
      return [
        "lost": Value.array(ValueArray(bounds.map { .number(Number($0)) })),
        "lines": lines > 0 ? lines : nil, "because": reason, "state": state,
      ]
    case .unknown(let key): return [key: Value.null]
    }
  }

  /// Parses a line; an error names the missing or wrong member.
  package init(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "line")
    guard case .object(let object) = value, let first = object.first?.key else {
      throw ValueFieldError(place: "line", expected: "a member")
    }
    switch first {
    case "step": self = .step(try StepLine(fields))
    case "begin": self = .begin(try Step(head: fields, number: try fields.number("begin")))
    case "effect": self = .effect(try EffectEvent(fields))
    case "read":
      let begun = try fields.optionalNumber("begin")
      self =
        if let begun { .readBegun(try Read(line: fields, key: "read"), step: begun) } else {
          .read(try OutsideRead(fields))
        }
    case "signpost":
      self = .signpost(
        Signpost(
          try fields.string("signpost"), step: try fields.number("after"),
          time: fields.time("time"), value: value["value"]))
    case "tape": self = .tape(key: try fields.string("tape"))
    case "end": self = .end(step: try fields.number("end"), time: fields.time("time"))
    case "lost": self = try Self.lost(fields)
    default: self = .unknown(key: first)
    }
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
      because: try fields.optionalString("because") ?? "",
      state: bounds.isEmpty ? nil : fields.value["state"])
  }
}

extension StepLine: LineCoded {
  package var object: LineObject {
    var line = LineObject()
    line.add("step", step.number)
    line.add("keyframe", state != nil)
    line.addHead(of: step)
    line.add("set", step.set)
    line.add("reads", step.reads)
    line.add("skipped", step.isSkipped)
    line.add("error", step.error)
    line.add("stack", step.stack)
    if let standing = step.standing {
      line.add("standing", [standing.values.rawValue, standing.outcome.rawValue])
      line.add("assumptions", standing.assumptions)
    }
    line.add("sends", step.sends)
    line.add("dropped", isStateDropped)
    line.add("patch", patch)
    line.add("state", state)
    return line
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    var step = try Step(head: fields, number: try fields.number("step"))
    if step.cause == .user { step.set = try? fields.optionalPart("set") }
    step.reads = try fields.list("reads")
    step.isSkipped = fields.bool("skipped")
    step.error = try fields.optionalString("error")
    step.stack = try fields.optionalString("stack")
    step.standing = try Standing(fields)
    step.standing?.assumptions = try fields.list("assumptions")
    step.sends = try fields.list("sends")
    self.init(
      step, patch: fields.optional("patch"), state: fields.member("state"),
      isStateDropped: fields.bool("dropped"))
  }
}

extension LineObject {
  fileprivate mutating func addHead(of step: Step) {
    add("time", step.time)
    add("label", step.label)
    add("action", step.action)
    add("cause", step.cause.value)
  }
}

extension Step {
  fileprivate init(head fields: ValueFields, number: Int) throws(ValueFieldError) {
    self.init(
      number: number, time: fields.time("time"), label: try fields.optionalString("label") ?? "",
      action: fields.member("action") ?? .null,
      cause: try Cause(fields.optional("cause"), at: "\(fields.place).cause"))
  }
}

extension Standing {
  fileprivate init?(_ fields: ValueFields) throws(ValueFieldError) {
    guard let value = fields.optional("standing") else { return nil }
    guard case .string(let first) = value[0], let values = Values(rawValue: first),
      case .string(let second) = value[1], let outcome = Outcome(rawValue: second)
    else { throw fields.wrong("standing", "two known words") }
    self.init(values, outcome)
  }
}

extension SetPart: LineCoded {
  package var object: LineObject { ["pointer": pointer, "value": value] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(try fields.pointer("pointer"), value: try fields.value("value"))
  }
}

extension Cause {
  package var value: Value {
    switch self {
    case .user: "user"
    case .outside(let name): name.map { ["outside": .string($0)] } ?? "outside"
    case .unknown: "unknown"
    case .effect(let effect): ["effect": .number(Number(effect.number))]
    case .output(let step): ["output": .number(Number(step))]
    }
  }

  package init(_ value: Value?, at place: String) throws(ValueFieldError) {
    if value == nil || value == "user" {
      self = .user
    } else if value == "outside" || value?["outside"] != nil {
      self = .outside(value?["outside"]?.string)
    } else if value == "unknown" {
      self = .unknown
    } else if let number = value?["effect"].flatMap(ValueFields.number) {
      self = .effect(EffectID(number))
    } else if let step = value?["output"].flatMap(ValueFields.number) {
      self = .output(of: step)
    } else {
      throw ValueFieldError(
        place: place,
        expected: "\"user\", \"outside\", \"unknown\", {\"outside\":name}, {\"effect\":n} or "
          + "{\"output\":n}")
    }
  }
}

extension EffectEvent: LineCoded {
  package var object: LineObject {
    let (word, told): (String, LineObject) =
      switch kind {
      case .started(let origin): ("started", origin.object)
      case .finished: ("finished", [:])
      case .failed(let message): ("failed", ["message": message])
      case .cancelled: ("cancelled", [:])
      }
    return ["effect": effect, "event": word, "after": step, "time": time] + told
      + ["outside": isFromOutside, "alone": isAlone, "edited": isEdited]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    let kind: Kind =
      switch try fields.string("event") {
      case "started": .started(try EffectOrigin(fields))
      case "finished": .finished
      case "failed": .failed(try fields.optionalString("message") ?? "")
      case "cancelled": .cancelled
      case let other: throw fields.unknown("event", other)
      }
    // Of a start, the word belongs to the origin.
    self.init(
      effect: EffectID(try fields.number("effect")), step: try fields.number("after"),
      time: fields.time("time"), kind: kind,
      isFromOutside: kind == .cancelled && fields.bool("outside"), isAlone: fields.bool("alone"))
    isEdited = fields.bool("edited")
  }
}

extension EffectOrigin: LineCoded {
  /// The keys of an origin, which share an object with the effect's.
  static let keys: Set<String> = [
    "from", "ordinal", "name", "file", "line", "cancel", "pause", "outside",
  ]

  package var object: LineObject {
    [
      "from": step, "ordinal": ordinal, "name": name, "file": file, "line": line,
      "cancel": cancelID, "pause": pause, "outside": isFromOutside,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.number("from"), name: try fields.optionalString("name"),
      file: try fields.optionalString("file") ?? "", line: try fields.optionalNumber("line") ?? 0,
      cancelID: try fields.optionalString("cancel"),
      ordinal: try fields.optionalNumber("ordinal") ?? 0, pause: fields.time("pause"))
    isFromOutside = fields.bool("outside")
  }
}

extension Read: LineCoded {
  package var argumentsValue: Value? { arguments.map { .array(ValueArray($0)) } }

  /// The question and its answer. The error of a cancellation says itself that it is one.
  fileprivate var answer: LineObject {
    [
      "arguments": argumentsValue,
      "cancelled": isCancelled && !outcome.isCancellation,
    ] + outcome.object
  }

  package var object: LineObject { ["key": key] + answer }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    try self.init(line: fields, key: "key")
  }

  package init(line fields: ValueFields, key: String) throws(ValueFieldError) {
    self.init(
      key: try fields.string(key), arguments: try fields.optionalValues("arguments"),
      outcome: try Read.Outcome(fields), isCancelled: fields.bool("cancelled"))
  }
}

extension OutsideRead: LineCoded {
  package var object: LineObject {
    ["read": read.key, "effect": effect, "after": step, "time": time, "took": took] + read.answer
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      try Read(line: fields, key: "read"),
      effect: try fields.optionalNumber("effect").map { EffectID($0) },
      step: try fields.number("after"), time: fields.time("time"), took: fields.time("took"))
  }
}

extension Read.Outcome: LineCoded {
  package var object: LineObject {
    switch self {
    case .value(let value): ["value": value]
    case .failure(let error): ["error": error]
    }
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    // The first versions wrote "failure" into saved forks.
    if let error = fields.member("error") ?? fields.member("failure") {
      self = .failure(error)
    } else {
      self = .value(try fields.value("value"))
    }
  }
}
