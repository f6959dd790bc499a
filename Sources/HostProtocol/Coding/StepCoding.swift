import SessionLog
import ValueTree

/// Collects the members of an object and leaves out the absent ones.
struct Members {
  private var members: [ValueObject.Element] = []

  mutating func set(_ key: String, _ value: Value?) {
    if let value { members.append((key, value)) }
  }

  mutating func set(_ key: String, _ text: String?) { set(key, text.map(Value.string)) }
  mutating func set(_ key: String, _ number: Int?) { set(key, number.map { .number(Number($0)) }) }

  /// Left out when it is false, or empty.
  mutating func set(_ key: String, flag: Bool) { if flag { set(key, .bool(true)) } }
  mutating func set(_ key: String, list: [Value]) {
    if !list.isEmpty { set(key, .array(ValueArray(list))) }
  }

  var value: Value { .object(ValueObject(members)) }
}

extension ValueFields {
  func duration(_ key: String) throws(ValueFieldError) -> Duration? {
    try optionalInt(key).map { .nanoseconds($0) }
  }
}

extension Cause {
  var protocolValue: Value {
    switch self {
    case .user: "user"
    case .effect(let effect): ["effect": .number(Number(effect))]
    case .output(let step): ["output": .number(Number(step))]
    }
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    if value == "user" {
      self = .user
      return
    }
    let fields = try ValueFields(value, at: place)
    if let effect = try fields.optionalInt("effect") {
      self = .effect(effect)
    } else {
      self = .output(of: try fields.int("output"))
    }
  }
}

extension EffectOrigin {
  var protocolValue: Value {
    var members = Members()
    members.set("step", step)
    members.set("name", name)
    members.set("file", file)
    members.set("line", line)
    members.set("cancelID", cancelID)
    members.set("ordinal", ordinal)
    members.set("pause", pause?.nanosecondsValue)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      step: try fields.int("step"), name: try fields.optionalSentence("name"),
      file: try fields.sentence("file"), line: try fields.optionalInt("line") ?? 0,
      cancelID: try fields.optionalString("cancelID"),
      ordinal: try fields.optionalInt("ordinal") ?? 0, pause: try fields.duration("pause"))
  }
}

extension EffectEvent {
  var protocolValue: Value {
    var members = Members()
    members.set("effect", effect)
    members.set("step", step)
    members.set("time", time?.nanosecondsValue)
    switch kind {
    case .started(let origin): members.set("started", origin.protocolValue)
    case .finished: members.set("ended", "finished")
    case .cancelled: members.set("ended", "cancelled")
    case .failed(let message): members.set("failed", message)
    }
    members.set("outside", flag: isFromOutside)
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    let kind: Kind
    if let origin = fields.optional("started") {
      kind = .started(try EffectOrigin(protocolValue: origin, at: "\(place).started"))
    } else if let message = try fields.optionalSentence("failed") {
      kind = .failed(message)
    } else {
      switch try fields.string("ended") {
      case "finished": kind = .finished
      case "cancelled": kind = .cancelled
      case let other:
        throw ValueFieldError(place: "\(place).ended", expected: "a known end, not \"\(other)\"")
      }
    }
    self.init(
      effect: try fields.int("effect"), step: try fields.int("step"),
      time: try fields.duration("time"), kind: kind, isFromOutside: fields.bool("outside"))
  }
}

extension BranchStep {
  var protocolValue: Value {
    var members = Members()
    members.set("number", step.number)
    members.set("time", step.time?.nanosecondsValue)
    members.set("label", step.label)
    members.set("action", step.action)
    members.set("cause", step.cause.protocolValue)
    members.set("reads", list: step.reads.map(\.branchValue))
    members.set("skipped", flag: step.isSkipped)
    members.set("error", step.error)
    members.set("descendsFrom", descendsFrom)
    members.set("values", standing.values.rawValue)
    members.set("outcome", standing.outcome.rawValue)
    members.set("assumptions", list: standing.assumptions.map(\.value))
    members.set("effects", list: effects.map(\.protocolValue))
    members.set("patch", patch)
    members.set("remarks", list: remarks.map(Value.string))
    return members.value
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    let step = Step(
      number: try fields.int("number"), time: try fields.duration("time"),
      label: try fields.sentence("label"), action: try fields.value("action"),
      cause: try Cause(protocolValue: try fields.value("cause"), at: "\(place).cause"),
      reads: try fields.list("reads", Read.init(branchValue:at:)),
      isSkipped: fields.bool("skipped"), error: try fields.optionalSentence("error"))
    self.init(
      step: step, descendsFrom: try fields.optionalInt("descendsFrom"),
      standing: Standing(
        try fields.word("values"), try fields.word("outcome"),
        try fields.list("assumptions", Assumption.init)),
      effects: try fields.list("effects", EffectEvent.init(protocolValue:at:)),
      patch: fields.optional("patch"), remarks: try fields.sentences("remarks"))
  }
}
