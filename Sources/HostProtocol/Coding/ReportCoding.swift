import SessionLog
import ValueTree

extension BranchReport {
  var protocolValue: Value {
    var members = Members()
    members.set("lastStep", lastStep)
    members.set("pending", list: pending.map(\.protocolValue))
    members.set("leftOut", list: leftOut.map(\.protocolValue))
    if let rejoining {
      members.set(
        "rejoining",
        [
          "step": .number(Number(rejoining.step)),
          "parentStep": .number(Number(rejoining.parentStep)),
        ])
    }
    members.set("remarks", list: remarks.map(Value.string))
    members.set("assumptions", list: assumptions.map(\.value))
    members.set("effects", list: effects.map(\.protocolValue))
    switch ending {
    case .complete: members.set("ending", "complete")
    case .undecodable(let step, let reason):
      members.set("ending", "undecodable")
      members.set("endingStep", step)
      members.set("reason", reason)
    case .crashed(let step, let lastWords):
      members.set("ending", "crashed")
      members.set("endingStep", step)
      members.set("reason", lastWords)
    case .timedOut(let step):
      members.set("ending", "timed out")
      members.set("endingStep", step)
    }
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    var rejoining: Rejoining?
    if let value = fields.optional("rejoining") {
      let fields = try ValueFields(value, at: "\(place).rejoining")
      rejoining = Rejoining(
        step: try fields.int("step"), parentStep: try fields.int("parentStep"))
    }
    let ending: Ending
    switch try fields.string("ending") {
    case "complete": ending = .complete
    case "undecodable":
      ending = .undecodable(
        step: try fields.int("endingStep"), reason: try fields.sentence("reason"))
    case "crashed":
      ending = .crashed(
        step: try fields.int("endingStep"), lastWords: try fields.sentence("reason"))
    case "timed out": ending = .timedOut(step: try fields.int("endingStep"))
    case let other:
      throw ValueFieldError(place: "\(place).ending", expected: "a known word, not \"\(other)\"")
    }
    self.init(
      lastStep: try fields.int("lastStep"),
      pending: try fields.list("pending", PendingEffect.init(protocolValue:at:)),
      leftOut: try fields.list("leftOut", LeftOutStep.init(protocolValue:at:)),
      rejoining: rejoining, ending: ending)
    remarks = try fields.sentences("remarks")
    assumptions = try fields.list("assumptions", Assumption.init)
    effects = try fields.list("effects", EffectEvent.init(protocolValue:at:))
  }
}

extension PendingEffect {
  var protocolValue: Value {
    var members = Members()
    members.set("effect", effect)
    members.set("origin", origin.protocolValue)
    members.set("unanswered", flag: isUnanswered)
    members.set("recorded", list: recorded.map(\.protocolValue))
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"),
      origin: try EffectOrigin(
        protocolValue: try fields.value("origin"), at: "\(place).origin"),
      isUnanswered: fields.bool("unanswered"),
      recorded: try fields.list("recorded", RecordedOutcome.init(protocolValue:at:)))
  }
}

extension RecordedOutcome {
  var protocolValue: Value {
    var members = Members()
    members.set("effect", effect)
    members.set("step", step)
    members.set("label", label)
    members.set("outcome", outcome.value)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"), step: try fields.int("step"),
      label: try fields.optionalSentence("label"),
      outcome: try EffectAnswer.Outcome(try fields.value("outcome"), at: "\(place).outcome"))
  }
}

extension LeftOutStep {
  var protocolValue: Value {
    var members = Members()
    members.set("step", recordedStep)
    members.set("label", label)
    members.set("effect", effect)
    members.set("reason", reason.rawValue)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      recordedStep: try fields.int("step"), label: try fields.sentence("label"),
      effect: try fields.optionalInt("effect"), reason: try fields.word("reason"))
  }
}

extension Divergence {
  var protocolValue: Value {
    var members = Members()
    members.set("step", step)
    members.set("label", label)
    members.set("kind", kind.rawValue)
    members.set("path", path)
    members.set("recorded", recorded)
    members.set("rerun", rerun)
    members.set("hint", hint)
    members.set("cause", cause?.protocolValue)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      step: try fields.int("step"), label: try fields.sentence("label"),
      kind: try fields.word("kind"), path: try fields.optionalSentence("path") ?? "",
      recorded: value["recorded"], rerun: value["rerun"],
      hint: try fields.optionalSentence("hint"))
    cause = try fields.optional("cause").map { value throws(ValueFieldError) in
      try Cause(protocolValue: value, at: "\(place).cause")
    }
  }
}

extension VerifyReport {
  package var protocolValue: Value {
    var members = Members()
    members.set("steps", steps)
    members.set("divergences", list: divergences.map(\.protocolValue))
    members.set(
      "undecodable",
      list: undecodable.map {
        [
          "step": .number(Number($0.step)), "label": .string($0.label),
          "reason": .string($0.reason),
        ]
      })
    members.set("unattributedReads", list: unattributedReads.map(Value.string))
    members.set("remarks", list: remarks.map(Value.string))
    members.set("partial", flag: isPartial)
    members.set(
      "unchecked",
      list: unchecked.map {
        [
          "from": .number(Number($0.steps.lowerBound)), "to": .number(Number($0.steps.upperBound)),
          "reason": .string($0.reason),
        ]
      })
    if let unfinished {
      var step = Members()
      step.set("step", unfinished.step)
      step.set("label", unfinished.label)
      step.set("endsNow", unfinished.endsNow.map(Value.bool))
      members.set("unfinished", step.value)
    }
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      steps: try fields.int("steps"),
      divergences: try fields.list("divergences", Divergence.init(protocolValue:at:)),
      undecodable: try fields.list("undecodable") { (value, place) throws(ValueFieldError) in
        let fields = try ValueFields(value, at: place)
        return UndecodableStep(
          step: try fields.int("step"), label: try fields.sentence("label"),
          reason: try fields.sentence("reason"))
      },
      unattributedReads: try fields.sentences("unattributedReads"),
      isPartial: fields.bool("partial"))
    remarks = try fields.strings("remarks")
    unchecked = try fields.list("unchecked") { (value, place) throws(ValueFieldError) in
      let fields = try ValueFields(value, at: place)
      let first = try fields.int("from")
      return UncheckedSteps(
        steps: first...max(first, try fields.int("to")), reason: try fields.sentence("reason"))
    }
    unfinished = try fields.optional("unfinished").map { value throws(ValueFieldError) in
      let fields = try ValueFields(value, at: "\(place).unfinished")
      return UnfinishedStep(
        step: try fields.int("step"), label: try fields.string("label"),
        endsNow: fields.optional("endsNow").map { $0 == .bool(true) })
    }
  }
}

extension VerifyOptions {
  var protocolValue: Value {
    var members = Members()
    members.set("allowsUnusedReads", flag: allowsUnusedReads)
    members.set("allowsMissingReads", flag: allowsMissingReads)
    members.set("checksDeterminism", .bool(checksDeterminism))
    members.set("limit", limit)
    members.set("after", after)
    members.set("until", until)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init()
    allowsUnusedReads = fields.bool("allowsUnusedReads")
    allowsMissingReads = fields.bool("allowsMissingReads")
    checksDeterminism = fields.optional("checksDeterminism") != .bool(false)
    limit = try fields.optionalInt("limit") ?? 1
    after = try fields.optionalInt("after")
    until = try fields.optionalInt("until")
  }
}
