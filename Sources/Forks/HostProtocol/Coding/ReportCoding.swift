import SessionWords
import ValueTree

extension BranchReport: LineCoded {
  package var object: LineObject {
    [
      "lastStep": lastStep, "pending": pending, "leftOut": leftOut, "rejoining": rejoining,
      "remarks": remarks, "assumptions": assumptions, "effects": effects,
      "ending": ending?.outcome.rawValue ?? "complete", "endingStep": ending?.step,
      "reason": ending?.reason, "sends": sends, "touched": touched,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      lastStep: try fields.int("lastStep"), pending: try fields.list("pending"),
      leftOut: try fields.list("leftOut"), rejoining: try fields.optionalPart("rejoining"))
    let word = try fields.string("ending")
    if word != "complete" {
      let outcome: Standing.Outcome = try fields.word("ending")
      guard outcome.isError else { throw fields.unknown("ending", word) }
      ending = Ending(
        try fields.int("endingStep"), outcome,
        outcome == .timedOut ? nil : try fields.sentence("reason"))
    }
    remarks = try fields.sentences("remarks")
    assumptions = try fields.list("assumptions")
    effects = try fields.list("effects")
    sends = try fields.list("sends")
    touched = try fields.effects("touched")
  }
}

extension Rejoining: LineCoded {
  package var object: LineObject { ["step": step, "parentStep": parentStep] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(step: try fields.int("step"), parentStep: try fields.int("parentStep"))
  }
}

extension PendingEffect: LineCoded {
  package var object: LineObject {
    [
      "effect": effect, "origin": origin, "unanswered": isUnanswered, "recorded": recorded,
      "question": question,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      effect: EffectID(try fields.int("effect")), origin: try fields.part("origin"),
      isUnanswered: fields.bool("unanswered"), recorded: try fields.list("recorded"))
    question = try fields.optionalPart("question")
  }
}

extension RecordedOutcome: LineCoded {
  package var object: LineObject {
    ["effect": effect, "step": step, "label": label, "outcome": outcome]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      effect: EffectID(try fields.int("effect")), step: try fields.int("step"),
      label: try fields.optionalSentence("label"), outcome: try fields.part("outcome"))
  }
}

extension LeftOutStep: LineCoded {
  package var object: LineObject {
    ["step": recordedStep, "label": label, "effect": effect, "reason": reason.rawValue]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      recordedStep: try fields.int("step"), label: try fields.sentence("label"),
      effect: try fields.optionalInt("effect").map { EffectID($0) },
      reason: try fields.word("reason"))
  }
}

extension Divergence: LineCoded {
  package var object: LineObject {
    [
      "step": step, "label": label, "kind": kind.rawValue, "path": path, "recorded": recorded,
      "rerun": rerun, "hint": hint, "cause": cause?.value,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.int("step"), label: try fields.sentence("label"),
      kind: try fields.word("kind"), path: try fields.place("path"),
      recorded: fields.member("recorded"), rerun: fields.member("rerun"),
      hint: try fields.optionalSentence("hint"))
    cause = try fields.optional("cause", Cause.init)
  }
}

extension VerifyReport: LineCoded {
  package var object: LineObject {
    [
      "steps": steps, "divergences": divergences, "undecodable": undecodable,
      "unattributedReads": unattributedReads, "remarks": remarks, "partial": isPartial,
      "unchecked": unchecked, "uncompared": uncompared > 0 ? uncompared : nil,
      "unfinished": unfinished,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      steps: try fields.int("steps"), divergences: try fields.list("divergences"),
      undecodable: try fields.list("undecodable"),
      unattributedReads: try fields.sentences("unattributedReads"),
      isPartial: fields.bool("partial"))
    remarks = try fields.strings("remarks")
    unchecked = try fields.list("unchecked")
    uncompared = try fields.optionalInt("uncompared") ?? 0
    unfinished = try fields.optionalPart("unfinished")
  }
}

extension UndecodableStep: LineCoded {
  package var object: LineObject { ["step": step, "label": label, "reason": reason] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.int("step"), label: try fields.sentence("label"),
      reason: try fields.sentence("reason"))
  }
}

extension UncheckedSteps: LineCoded {
  package var object: LineObject {
    ["from": steps.lowerBound, "to": steps.upperBound, "reason": reason]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    let first = try fields.int("from")
    self.init(
      steps: first...max(first, try fields.int("to")), reason: try fields.sentence("reason"))
  }
}

extension UnfinishedStep: LineCoded {
  package var object: LineObject {
    ["step": step, "label": label, "endsNow": endsNow.map(Value.bool)]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.int("step"), label: try fields.string("label"),
      endsNow: fields.optional("endsNow").map { $0 == true })
  }
}

extension VerifyOptions: LineCoded {
  package var object: LineObject {
    [
      "allowsUnusedReads": allowsUnusedReads, "allowsMissingReads": allowsMissingReads,
      "checksDeterminism": Value.bool(checksDeterminism), "limit": limit, "after": after,
      "until": until, "places": placesOfStep == 12 ? nil : placesOfStep,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init()
    allowsUnusedReads = fields.bool("allowsUnusedReads")
    allowsMissingReads = fields.bool("allowsMissingReads")
    checksDeterminism = fields.optional("checksDeterminism") != false
    limit = try fields.optionalInt("limit") ?? 1
    after = try fields.optionalInt("after")
    until = try fields.optionalInt("until")
    placesOfStep = try fields.optionalInt("places") ?? 12
  }
}

extension BranchStep: LineCoded {
  package var object: LineObject {
    var step = step
    step.standing = standing
    return StepLine(step, patch: patch).object
      + [
        "descendsFrom": descendsFrom, "effects": effects, "remarks": remarks,
        "asRecorded": isAsRecorded,
        "asked": asked.map { Value.array(ValueArray($0.map(\.object.value))) },
      ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    _ = try fields.value("action")
    let line = try StepLine(fields)
    guard let standing = line.step.standing else {
      throw fields.wrong("standing", "two known words")
    }
    var step = line.step
    step.standing = nil
    step.label = try fields.sentence("label")
    step.error = step.error?.clipped
    self.init(
      step: step, descendsFrom: try fields.optionalInt("descendsFrom"), standing: standing,
      effects: try fields.list("effects"), patch: line.patch,
      remarks: try fields.sentences("remarks"))
    isAsRecorded = fields.bool("asRecorded")
    if fields.optional("asked") != nil { asked = try fields.list("asked") }
  }
}
