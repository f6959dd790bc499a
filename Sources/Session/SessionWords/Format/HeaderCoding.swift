import ValueTree

extension SessionHeader {
  package var bytes: [UInt8] { object.bytes }

  package var object: LineObject {
    let capability: LineObject =
      switch capability {
      case .replay: ["can": "replay"]
      case .browse(let reason): ["can": "browse", "because": reason]
      }
    return ["retcon": version.description, "session": session, "app": app] + capability + [
      "started": started, "seed": seed.map { Value.number(Number(unsigned: $0)) }, "tape": tape,
      "redacted": redacted, "states": states.value, "snapshots": snapshots?.rawValue,
      "causes": knowsCauses ? nil : "unknown",
      "middleware": mayHaveMiddleware ? nil : "none", "world": world,
      "part": part > 1 ? part : nil,
      "origin": origin,
    ] + LineObject(unknown) + [
      "first": firstStep != 0 ? firstStep : nil, "time": firstTime, "effects": effects,
      "state": state,
    ]
  }

  static let keys: Set<String> = [
    "retcon", "session", "app", "can", "because", "started", "seed", "tape", "redacted", "states",
    "snapshots", "causes", "middleware", "world", "part", "origin", "first", "time", "effects",
    "state",
  ]

  /// The caller has checked that the version is readable.
  package init(_ value: Value, version: FormatVersion) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "header")
    self.init(
      app: try fields.optionalPart("app"),
      capability: try Capability(fields), state: fields.member("state"),
      states: try StatePolicy(fields), firstStep: try fields.optionalNumber("first") ?? 0)
    self.version = version
    session = try fields.optionalString("session")
    started = try fields.optionalString("started")
    if case .number(let number) = fields.optional("seed") { seed = UInt64(number.text) }
    tape = try fields.strings("tape")
    redacted = try fields.strings("redacted")
    snapshots = try fields.optionalString("snapshots").flatMap(Snapshots.init)
    knowsCauses = fields.optional("causes") != "unknown"
    mayHaveMiddleware = fields.optional("middleware") != "none"
    world = try fields.optionalString("world")
    firstTime = fields.time("time")
    part = max(1, try fields.optionalNumber("part") ?? 1)
    effects = try fields.list("effects")
    origin = try fields.optionalPart("origin")
    unknown = fields.others(than: Self.keys)
  }
}

extension SessionHeader.App: LineCoded {
  package var object: LineObject { ["name": name, "version": version] + LineObject(unknown) }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(try fields.string("name"), version: try fields.optionalString("version"))
    unknown = fields.others(than: ["name", "version"])
  }
}

extension SessionHeader.Capability {
  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    switch try fields.optionalString("can") ?? "replay" {
    case "replay": self = .replay
    case let word:
      self = .browse(
        because: try fields.optionalString("because") ?? "the recorder says \"\(word)\"")
    }
  }
}

extension SessionHeader.StatePolicy {
  var value: Value {
    switch self {
    case .everyStep: "every"
    case .every(let interval): .number(Number(interval))
    case .first: "first"
    }
  }

  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    switch fields.optional("states") {
    case nil, "every": self = .everyStep
    case "first": self = .first
    case .some(let value):
      guard let interval = ValueFields.int(value), interval > 0 else {
        throw fields.wrong("states", "\"every\", \"first\" or a number")
      }
      self = .every(interval)
    }
  }
}

extension SessionHeader.Origin: LineCoded {
  package var object: LineObject {
    ["format": format, "file": file, "position": position, "states": statesBy]
      + LineObject(unknown)
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      format: try fields.string("format"), file: try fields.optionalString("file"),
      position: try fields.optionalNumber("position"))
    statesBy = try fields.optionalString("states")
    unknown = fields.others(than: ["format", "file", "position", "states"])
  }
}

extension EffectInFlight: LineCoded {
  package var object: LineObject {
    ["effect": effect, "time": time] + origin.object + LineObject(unknown)
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      effect: EffectID(try fields.number("effect")), origin: try EffectOrigin(fields),
      time: fields.time("time"))
    unknown = fields.others(than: Self.keys)
  }

  private static let keys = EffectOrigin.keys.union(["effect", "time"])

  package static func unknown(inLine value: Value) -> ValueObject {
    guard case .object(let object) = value else { return [:] }
    return ValueObject(
      object.filter { !keys.contains($0.key) && !["event", "after"].contains($0.key) })
  }
}

extension Number {
  package init(unsigned value: UInt64) {
    self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }
}
