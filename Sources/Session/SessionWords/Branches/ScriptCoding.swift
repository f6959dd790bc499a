import ValueTree

extension Script: LineCoded {
  /// The form in the sidecar and for hosts.
  package var object: LineObject {
    [
      "parent": parent.text, "leavesAt": leavesAt, "rest": rest.rawValue,
      "edits": Value.array(ValueArray(edits.map(\.value))),
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      parent: BranchID(try fields.string("parent")), leavesAt: try fields.int("leavesAt"),
      rest: try fields.word("rest"), edits: try fields.list("edits"))
  }
}

extension Edit: LineCoded {
  package var object: LineObject {
    switch self {
    case .skip(let step): ["edit": "skip", "step": step]
    case .replace(let step, let action): ["edit": "replace", "step": step, "action": action]
    case .insert(let after, let action): ["edit": "insert", "after": after, "action": action]
    case .move(let step, let after): ["edit": "move", "step": step, "after": after]
    case .read(let step, let key, let index, let outcome):
      ["edit": "read", "step": step, "key": key, "index": index, "outcome": outcome]
    case .set(let step, let pointer, let value):
      ["edit": "set", "step": step, "pointer": pointer, "value": value]
    case .answer(let answer): ["edit": "answer"] + answer.object
    case .reply(let reply):
      ["edit": "reply"]
        + Read(
          key: reply.question.key, arguments: reply.question.arguments, outcome: reply.outcome
        ).object + ["took": reply.took]
    }
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    switch try fields.string("edit") {
    case "skip": self = .skip(step: try fields.int("step"))
    case "replace":
      self = .replace(step: try fields.int("step"), action: try fields.value("action"))
    case "insert":
      self = .insert(after: try fields.int("after"), action: try fields.value("action"))
    case "move": self = .move(step: try fields.int("step"), after: try fields.int("after"))
    case "read":
      self = .read(
        step: try fields.int("step"), key: try fields.string("key"),
        index: try fields.int("index"), outcome: try fields.part("outcome"))
    case "set":
      self = .set(
        step: try fields.int("step"), pointer: try fields.pointer("pointer"),
        value: try fields.value("value"))
    case "answer": self = .answer(try EffectAnswer(fields))
    case "reply":
      let read = try Read(fields)
      self = .reply(Reply(to: Question(read), read.outcome, took: try fields.duration("took")))
    case let other: throw fields.unknown("edit", other)
    }
  }
}

extension Question: LineCoded {
  package var object: LineObject {
    ["key": key, "arguments": arguments.map { Value.array(ValueArray($0)) }]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(try fields.string("key"), try fields.optionalValues("arguments"))
  }
}

extension EffectAnswer: LineCoded {
  package var object: LineObject {
    ["effect": effect, "after": after, "outcome": outcome, "live": live]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      effect: EffectID(try fields.int("effect")), after: try fields.int("after"),
      outcome: try fields.part("outcome"), live: try fields.optionalPart("live"))
  }
}

extension EffectAnswer.Live: LineCoded {
  package var object: LineObject { ["delay": delay, "reads": reads] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(delay: try fields.duration("delay") ?? .zero, reads: try fields.list("reads"))
  }
}

extension LiveRun: LineCoded {
  package var object: LineObject {
    let (word, said) =
      switch end {
      case .finished: ("end", "finished")
      case .failed(let message): ("failed", message)
      case .stopped(let limit): ("stopped", limit.rawValue)
      }
    return [
      "effect": effect, "emissions": emissions, word: said, "duration": duration, "reads": reads,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    let end: End
    if let message = try fields.optionalString("failed") {
      end = .failed(message: message)
    } else if fields.optional("stopped") != nil {
      end = .stopped(try fields.word("stopped"))
    } else {
      let word = try fields.string("end")
      guard word == "finished" else { throw fields.unknown("end", word) }
      end = .finished
    }
    self.init(
      effect: EffectID(try fields.int("effect")), emissions: try fields.list("emissions"), end: end,
      duration: try fields.duration("duration") ?? .zero, reads: try fields.list("reads"))
  }
}

extension LiveRun.Emission: LineCoded {
  package var object: LineObject { ["delay": delay, "action": action, "readCount": readCount] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      delay: try fields.duration("delay") ?? .zero, action: try fields.value("action"),
      readCount: try fields.optionalInt("readCount") ?? 0)
  }
}

extension EffectAnswer.Outcome: LineCoded {
  package var object: LineObject {
    switch self {
    case .emit(let action): ["emit": action]
    case .finish: ["end": "finish"]
    case .fail(let message): ["end": "fail", "message": message]
    case .cancel: ["end": "cancel"]
    }
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    if let action = fields.member("emit") {
      self = .emit(action: action)
      return
    }
    switch try fields.string("end") {
    case "finish": self = .finish
    case "fail": self = .fail(message: try fields.optionalString("message") ?? "")
    case "cancel": self = .cancel
    case let other: throw fields.unknown("end", other)
    }
  }
}
