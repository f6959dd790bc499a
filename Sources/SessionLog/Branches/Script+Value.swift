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
    case .answer(let answer):
      [
        "edit": "answer", "effect": .number(Number(answer.effect)),
        "after": .number(Number(answer.after)), "outcome": answer.outcome.value,
      ]
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
      self = .answer(
        EffectAnswer(
          effect: try fields.int("effect"), after: try fields.int("after"),
          outcome: try EffectAnswer.Outcome(try fields.value("outcome"), at: "\(place).outcome")))
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
