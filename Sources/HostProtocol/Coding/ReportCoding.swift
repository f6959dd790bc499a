import SessionWords
import ValueTree

extension BranchReport {
  var value: Value {
    var members = LineObject()
    members.add("lastStep", lastStep)
    members.add("pending", list: pending.map(\.value))
    members.add("leftOut", list: leftOut.map(\.value))
    if let rejoining {
      members.add(
        "rejoining",
        [
          "step": .number(Number(rejoining.step)),
          "parentStep": .number(Number(rejoining.parentStep)),
        ])
    }
    members.add("remarks", list: remarks)
    members.add("assumptions", list: assumptions.map(\.value))
    members.add("effects", list: effects.map(\.value))
    switch ending {
    case .complete: members.add("ending", "complete")
    case .undecodable(let step, let reason):
      members.add("ending", "undecodable")
      members.add("endingStep", step)
      members.add("reason", reason)
    case .crashed(let step, let lastWords):
      members.add("ending", "crashed")
      members.add("endingStep", step)
      members.add("reason", lastWords)
    case .timedOut(let step):
      members.add("ending", "timed out")
      members.add("endingStep", step)
    }
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    var rejoining: Rejoining?
    if let value = fields.optional("rejoining") {
      let fields = try ValueFields(value, at: "\(place).rejoining")
      rejoining = Rejoining(step: try fields.int("step"), parentStep: try fields.int("parentStep"))
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
    case let other: throw fields.unknown("ending", other)
    }
    self.init(
      lastStep: try fields.int("lastStep"),
      pending: try fields.list("pending", PendingEffect.init),
      leftOut: try fields.list("leftOut", LeftOutStep.init),
      rejoining: rejoining, ending: ending)
    remarks = try fields.sentences("remarks")
    assumptions = try fields.list("assumptions", Assumption.init)
    effects = try fields.list("effects", EffectEvent.init)
  }
}

extension PendingEffect {
  var value: Value {
    var members = LineObject()
    members.add("effect", effect)
    members.add("origin", origin.value)
    members.add("unanswered", onlyIf: isUnanswered)
    members.add("recorded", list: recorded.map(\.value))
    members.add("question", question?.value)
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"),
      origin: try EffectOrigin(
        try fields.value("origin"), at: "\(place).origin"),
      isUnanswered: fields.bool("unanswered"),
      recorded: try fields.list("recorded", RecordedOutcome.init))
    if let asked = fields.optional("question") {
      question = try Question(asked, at: "\(place).question")
    }
  }
}

extension RecordedOutcome {
  var value: Value {
    var members = LineObject()
    members.add("effect", effect)
    members.add("step", step)
    members.add("label", label)
    members.add("outcome", outcome.value)
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"), step: try fields.int("step"),
      label: try fields.optionalSentence("label"),
      outcome: try EffectAnswer.Outcome(try fields.value("outcome"), at: "\(place).outcome"))
  }
}

extension LeftOutStep {
  var value: Value {
    var members = LineObject()
    members.add("step", recordedStep)
    members.add("label", label)
    members.add("effect", effect)
    members.add("reason", reason.rawValue)
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      recordedStep: try fields.int("step"), label: try fields.sentence("label"),
      effect: try fields.optionalInt("effect"), reason: try fields.word("reason"))
  }
}

extension Divergence {
  var value: Value {
    var members = LineObject()
    members.add("step", step)
    members.add("label", label)
    members.add("kind", kind.rawValue)
    members.add("path", path)
    members.add("recorded", recorded)
    members.add("rerun", rerun)
    members.add("hint", hint)
    members.add("cause", cause?.value)
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      step: try fields.int("step"), label: try fields.sentence("label"),
      kind: try fields.word("kind"), path: try fields.optionalSentence("path") ?? "",
      recorded: value["recorded"], rerun: value["rerun"],
      hint: try fields.optionalSentence("hint"))
    cause = try fields.optional("cause").map { value throws(ValueFieldError) in
      try Cause(value, at: "\(place).cause")
    }
  }
}

extension VerifyReport {
  package var value: Value {
    var members = LineObject()
    members.add("steps", steps)
    members.add("divergences", list: divergences.map(\.value))
    members.add(
      "undecodable",
      list: undecodable.map {
        [
          "step": .number(Number($0.step)), "label": .string($0.label),
          "reason": .string($0.reason),
        ]
      })
    members.add("unattributedReads", list: unattributedReads)
    members.add("remarks", list: remarks)
    members.add("partial", onlyIf: isPartial)
    members.add(
      "unchecked",
      list: unchecked.map {
        [
          "from": .number(Number($0.steps.lowerBound)), "to": .number(Number($0.steps.upperBound)),
          "reason": .string($0.reason),
        ]
      })
    if let unfinished {
      var step = LineObject()
      step.add("step", unfinished.step)
      step.add("label", unfinished.label)
      step.add("endsNow", unfinished.endsNow.map(Value.bool))
      members.add("unfinished", step.value)
    }
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      steps: try fields.int("steps"),
      divergences: try fields.list("divergences", Divergence.init),
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
  var value: Value {
    var members = LineObject()
    members.add("allowsUnusedReads", onlyIf: allowsUnusedReads)
    members.add("allowsMissingReads", onlyIf: allowsMissingReads)
    members.add("checksDeterminism", .bool(checksDeterminism))
    members.add("limit", limit)
    members.add("after", after)
    members.add("until", until)
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
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

extension BranchStep {
  /// As its line in a session file, with what only a branch knows of a step.
  var value: Value {
    var step = step
    step.standing = standing
    var line = LineObject()
    line.add(StepLine(step, patch: patch))
    line.add("descendsFrom", descendsFrom)
    line.add("effects", list: effects.map(\.value))
    line.add("remarks", list: remarks)
    return line.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    _ = try fields.value("action")
    let line = try StepLine(fields)
    guard let standing = line.step.standing else {
      throw ValueFieldError(place: "\(place).standing", expected: "two known words")
    }
    var step = line.step
    step.standing = nil
    step.label = try fields.sentence("label")
    step.error = step.error?.clipped
    self.init(
      step: step, descendsFrom: try fields.optionalInt("descendsFrom"), standing: standing,
      effects: try fields.list("effects", EffectEvent.init), patch: line.patch,
      remarks: try fields.sentences("remarks"))
  }
}
