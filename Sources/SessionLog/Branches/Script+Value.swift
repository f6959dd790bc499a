import ValueTree

extension Script {
  /// The script as a value: what the sidecar stores and what a host is asked to run.
  package var value: Value {
    [
      "parent": .string(parent), "leavesAt": .number(Number(leavesAt)),
      "rest": .string(rest.rawValue), "edits": .array(ValueArray(edits.map(\.value))),
    ]
  }

  package init(_ value: Value, at place: String = "script") throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      parent: try fields.string("parent"), leavesAt: try fields.int("leavesAt"),
      rest: try fields.word("rest"), edits: try fields.list("edits", Edit.init))
  }
}

extension Edit {
  package var value: Value {
    switch self {
    case .skip(let step):
      ["edit": "skip", "step": .number(Number(step))]
    case .replace(let step, let action):
      ["edit": "replace", "step": .number(Number(step)), "action": action]
    case .insert(let after, let action):
      ["edit": "insert", "after": .number(Number(after)), "action": action]
    case .move(let step, let after):
      ["edit": "move", "step": .number(Number(step)), "after": .number(Number(after))]
    case .read(let step, let key, let index, let outcome):
      [
        "edit": "read", "step": .number(Number(step)), "key": .string(key),
        "index": .number(Number(index)), "outcome": outcome.value,
      ]
    case .set(let step, let pointer, let value):
      [
        "edit": "set", "step": .number(Number(step)), "pointer": .string(pointer),
        "value": value,
      ]
    case .answer(let answer): answer.value
    }
  }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    switch try fields.string("edit") {
    case "skip":
      self = .skip(step: try fields.int("step"))
    case "replace":
      self = .replace(step: try fields.int("step"), action: try fields.value("action"))
    case "insert":
      self = .insert(after: try fields.int("after"), action: try fields.value("action"))
    case "move":
      self = .move(step: try fields.int("step"), after: try fields.int("after"))
    case "read":
      self = .read(
        step: try fields.int("step"), key: try fields.string("key"),
        index: try fields.int("index"),
        outcome: try Read.Outcome(try fields.value("outcome"), at: "\(place).outcome"))
    case "set":
      self = .set(
        step: try fields.int("step"), pointer: try fields.string("pointer"),
        value: try fields.value("value"))
    case "answer":
      self = .answer(try EffectAnswer(fields))
    case let other:
      throw ValueFieldError(place: "\(place).edit", expected: "a known edit, not \"\(other)\"")
    }
  }
}

extension Read.Outcome {
  package var value: Value {
    switch self {
    case .value(let value): ["value": value]
    case .failure(let value): ["failure": value]
    }
  }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    if let failure = value["failure"] {
      self = .failure(failure)
    } else {
      self = .value(try fields.value("value"))
    }
  }
}

extension EffectAnswer {
  fileprivate var value: Value {
    var members: [ValueObject.Element] = [
      ("edit", "answer"), ("effect", .number(Number(effect))), ("after", .number(Number(after))),
      ("outcome", outcome.value),
    ]
    if let live { members.append(("live", live.value)) }
    return .object(ValueObject(members))
  }

  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    let place = fields.place
    self.init(
      effect: try fields.int("effect"), after: try fields.int("after"),
      outcome: try Outcome(try fields.value("outcome"), at: "\(place).outcome"))
    if let seen = fields.optional("live") { live = try Live(seen, at: "\(place).live") }
  }
}

extension EffectAnswer.Live {
  fileprivate var value: Value {
    ["delay": delay.nanosecondsValue, "reads": .array(ValueArray(reads.map(\.branchValue)))]
  }

  fileprivate init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      delay: .nanoseconds(try fields.int("delay")),
      reads: try fields.list("reads", Read.init(branchValue:at:)))
  }
}

extension Duration {
  /// Whole nanoseconds.
  package var nanosecondsValue: Value {
    let (seconds, attoseconds) = components
    return .number(.integer(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}

extension Read {
  package var argumentsValue: Value? { arguments.map { .array(ValueArray($0)) } }

  package var branchValue: Value {
    var members: [ValueObject.Element] = [("key", .string(key))]
    if let argumentsValue { members.append(("arguments", argumentsValue)) }
    members.append(("outcome", outcome.value))
    return .object(ValueObject(members))
  }

  package init(branchValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      key: try fields.string("key"), arguments: try fields.optionalValues("arguments"),
      outcome: try Outcome(try fields.value("outcome"), at: "\(place).outcome"))
  }
}

extension LiveRun {
  /// As a host tells it.
  package var value: Value {
    var members: [ValueObject.Element] = [
      ("effect", .number(Number(effect))),
      (
        "emissions",
        .array(
          ValueArray(
            emissions.map {
              [
                "delay": $0.delay.nanosecondsValue, "action": $0.action,
                "readCount": .number(Number($0.readCount)),
              ]
            }))
      ),
    ]
    switch end {
    case .finished: members.append(("end", "finished"))
    case .failed(let message): members.append(("failed", .string(message)))
    case .stopped(let limit): members.append(("stopped", .string(limit.rawValue)))
    }
    members.append(("duration", duration.nanosecondsValue))
    members.append(("reads", .array(ValueArray(reads.map(\.branchValue)))))
    return .object(ValueObject(members))
  }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    let end: End
    if let message = try fields.optionalString("failed") {
      end = .failed(message: message)
    } else if fields.optional("stopped") != nil {
      end = .stopped(try fields.word("stopped"))
    } else {
      end = .finished
    }
    self.init(
      effect: try fields.int("effect"),
      emissions: try fields.list("emissions") { (value, place) throws(ValueFieldError) in
        let fields = try ValueFields(value, at: place)
        return Emission(
          delay: .nanoseconds(try fields.int("delay")), action: try fields.value("action"),
          readCount: try fields.optionalInt("readCount") ?? 0)
      },
      end: end, duration: .nanoseconds(try fields.optionalInt("duration") ?? 0),
      reads: try fields.list("reads", Read.init(branchValue:at:)))
  }
}

extension EffectAnswer.Outcome {
  package var value: Value {
    switch self {
    case .emit(let action): ["emit": action]
    case .finish: ["end": "finish"]
    case .fail(let message): ["end": "fail", "message": .string(message)]
    case .cancel: ["end": "cancel"]
    }
  }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    if let action = value["emit"] {
      self = .emit(action: action)
      return
    }
    switch try fields.string("end") {
    case "finish": self = .finish
    case "fail": self = .fail(message: try fields.optionalString("message") ?? "")
    case "cancel": self = .cancel
    case let other:
      throw ValueFieldError(place: "\(place).end", expected: "a known end, not \"\(other)\"")
    }
  }
}
