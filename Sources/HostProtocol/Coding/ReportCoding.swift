import SessionWords
import ValueTree

extension BranchReport {
  var value: Value {
    var members = LineObject([
      "lastStep": lastStep, "pending": pending.map(\.value), "leftOut": leftOut.map(\.value),
      "rejoining": rejoining.map { Value.line(["step": $0.step, "parentStep": $0.parentStep]) },
      "remarks": remarks, "assumptions": assumptions.map(\.value),
      "effects": effects.map(\.value),
    ])
    switch ending {
    case .complete: members.add("ending", "complete")
    case .undecodable(let step, let reason):
      members.add(["ending": "undecodable", "endingStep": step, "reason": reason])
    case .crashed(let step, let lastWords):
      members.add(["ending": "crashed", "endingStep": step, "reason": lastWords])
    case .timedOut(let step): members.add(["ending": "timed out", "endingStep": step])
    }
    return members.value
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
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
      rejoining: try fields.optional("rejoining") { (value, place) throws(ValueFieldError) in
        let fields = try ValueFields(value, at: place)
        return Rejoining(
          step: try fields.int("step"), parentStep: try fields.int("parentStep"))
      }, ending: ending)
    remarks = try fields.sentences("remarks")
    assumptions = try fields.list("assumptions", Assumption.init)
    effects = try fields.list("effects", EffectEvent.init)
  }
}

extension PendingEffect {
  var value: Value {
    .line([
      "effect": effect, "origin": origin.value, "unanswered": isUnanswered,
      "recorded": recorded.map(\.value), "question": question?.value,
    ])
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"),
      origin: try fields.value("origin", EffectOrigin.init),
      isUnanswered: fields.bool("unanswered"),
      recorded: try fields.list("recorded", RecordedOutcome.init))
    question = try fields.optional("question", Question.init)
  }
}

extension RecordedOutcome {
  var value: Value {
    .line(["effect": effect, "step": step, "label": label, "outcome": outcome.value])
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      effect: try fields.int("effect"), step: try fields.int("step"),
      label: try fields.optionalSentence("label"),
      outcome: try fields.value("outcome", EffectAnswer.Outcome.init))
  }
}

extension LeftOutStep {
  var value: Value {
    .line(["step": recordedStep, "label": label, "effect": effect, "reason": reason.rawValue])
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
    .line([
      "step": step, "label": label, "kind": kind.rawValue, "path": path, "recorded": recorded,
      "rerun": rerun, "hint": hint, "cause": cause?.value,
    ])
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      step: try fields.int("step"), label: try fields.sentence("label"),
      kind: try fields.word("kind"), path: try fields.optionalSentence("path") ?? "",
      recorded: value["recorded"], rerun: value["rerun"],
      hint: try fields.optionalSentence("hint"))
    cause = try fields.optional("cause", Cause.init)
  }
}

extension VerifyReport {
  package var value: Value {
    .line([
      "steps": steps, "divergences": divergences.map(\.value),
      "undecodable": undecodable.map {
        Value.line(["step": $0.step, "label": $0.label, "reason": $0.reason])
      },
      "unattributedReads": unattributedReads, "remarks": remarks, "partial": isPartial,
      "unchecked": unchecked.map {
        Value.line([
          "from": $0.steps.lowerBound, "to": $0.steps.upperBound, "reason": $0.reason,
        ])
      },
      "unfinished": unfinished.map {
        Value.line([
          "step": $0.step, "label": $0.label, "endsNow": $0.endsNow.map(Value.bool),
        ])
      },
    ])
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
    unfinished = try fields.optional("unfinished") { (value, place) throws(ValueFieldError) in
      let fields = try ValueFields(value, at: place)
      return UnfinishedStep(
        step: try fields.int("step"), label: try fields.string("label"),
        endsNow: fields.optional("endsNow").map { $0 == .bool(true) })
    }
  }
}

extension VerifyOptions {
  var value: Value {
    .line([
      "allowsUnusedReads": allowsUnusedReads, "allowsMissingReads": allowsMissingReads,
      "checksDeterminism": Value.bool(checksDeterminism), "limit": limit, "after": after,
      "until": until,
    ])
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
