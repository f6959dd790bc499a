import ValueTree

extension Script {
  /// The script as a value: what the sidecar stores and what a host is asked to run.
  package var value: Value {
    .line([
      "parent": parent, "leavesAt": leavesAt, "rest": rest.rawValue,
      "edits": Value.array(ValueArray(edits.map(\.value))),
    ])
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
    case .skip(let step): .line(["edit": "skip", "step": step])
    case .replace(let step, let action):
      .line(["edit": "replace", "step": step, "action": action])
    case .insert(let after, let action):
      .line(["edit": "insert", "after": after, "action": action])
    case .move(let step, let after): .line(["edit": "move", "step": step, "after": after])
    case .read(let step, let key, let index, let outcome):
      .line([
        "edit": "read", "step": step, "key": key, "index": index, "outcome": outcome.value,
      ])
    case .set(let step, let pointer, let value):
      .line(["edit": "set", "step": step, "pointer": pointer, "value": value])
    case .answer(let answer): answer.value
    case .reply(let reply): reply.value
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
    case "reply":
      let read = try Read(line: fields, key: "key")
      self = .reply(
        Reply(to: Question(read), read.outcome, took: try fields.duration("took")))
    case let other:
      throw fields.unknown("edit", other)
    }
  }
}

extension Question {
  /// Without its time.
  package var value: Value {
    .line(["key": key, "arguments": arguments.map { Value.array(ValueArray($0)) }])
  }

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    let hasArguments = fields.optional("arguments") != nil
    self.init(
      try fields.string("key"),
      hasArguments
        ? try fields.list("arguments") { (value, _) throws(ValueFieldError) in value } : nil)
  }
}

extension Reply {
  fileprivate var value: Value {
    let read = Read(key: question.key, arguments: question.arguments, outcome: outcome)
    var line = LineObject([
      "edit": "reply", "key": read.key, "arguments": read.argumentsValue,
    ])
    line.add(read.outcome)
    line.add("took", took)
    return line.value
  }
}

extension EffectAnswer {
  fileprivate var value: Value {
    .line([
      "edit": "answer", "effect": effect, "after": after, "outcome": outcome.value,
      "live": live?.value,
    ])
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
    .line(["delay": delay, "reads": reads.map(\.value)])
  }

  fileprivate init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      delay: try fields.duration("delay") ?? .zero, reads: try fields.list("reads", Read.init))
  }
}

extension LiveRun {
  /// As a host tells it.
  package var value: Value {
    let (word, said) =
      switch end {
      case .finished: ("end", "finished")
      case .failed(let message): ("failed", message)
      case .stopped(let limit): ("stopped", limit.rawValue)
      }
    return .line([
      "effect": effect, "emissions": emissions.map(\.value), word: said, "duration": duration,
      "reads": reads.map(\.value),
    ])
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
      effect: try fields.int("effect"), emissions: try fields.list("emissions", Emission.init),
      end: end, duration: try fields.duration("duration") ?? .zero,
      reads: try fields.list("reads", Read.init))
  }
}

extension LiveRun.Emission {
  fileprivate var value: Value {
    .line(["delay": delay, "action": action, "readCount": readCount])
  }

  fileprivate init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      delay: try fields.duration("delay") ?? .zero, action: try fields.value("action"),
      readCount: try fields.optionalInt("readCount") ?? 0)
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
      throw fields.unknown("end", other)
    }
  }
}
