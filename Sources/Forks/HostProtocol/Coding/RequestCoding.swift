import SessionWords
import ValueTree

extension HostRequest {
  package var value: Value {
    let value = Value.line(["id": id] + ask.object)
    let known = ends.map { depth, step in
      PatchOperation.add(["branch", "\(depth)", "endsAt"], .number(Number(step)))
    }
    return (try? Patch(known).applied(to: value)) ?? value
  }

  package init(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "request")
    let ask: Ask
    switch try fields.string("ask") {
    case "greet": ask = .greet(debugger: try fields.optionalString("debugger") ?? "")
    case "load":
      ask = .load(path: try fields.string("path"), isComputed: fields.bool("computed"))
    case "run":
      ask = .run(
        RunRequest(
          branch: try BranchPath(fields),
          from: try fields.optionalInt("from"),
          until: try fields.optionalInt("until")))
    case "state":
      ask = .state(branch: try BranchPath(fields), step: try fields.int("step"))
    case "verify":
      ask = .verify(try fields.optionalPart("options") ?? VerifyOptions())
    case "source":
      let first = try fields.int("from")
      ask = .source(
        branch: try BranchPath(fields), steps: first...max(first, try fields.int("until")),
        unfinished: fields.optional("unfinished"))
    case "live":
      var limits = LiveLimits()
      if let time = try fields.duration("time") { limits.time = time }
      if let count = try fields.optionalInt("emissions") { limits.emissions = count }
      ask = .live(
        LiveRequest(
          branch: try BranchPath(fields), effect: EffectID(try fields.int("effect")),
          question: try fields.optionalPart("question"), limits: limits))
    case "check": ask = .check(try ValueCheck(fields))
    case "actions": ask = .actions
    case "whereabouts": ask = .whereabouts
    case "cancel": ask = .cancel(request: try fields.int("request"))
    case "quit": ask = .quit
    case let other: throw fields.unknown("ask", other)
    }
    self.init(id: try fields.int("id"), ask: ask)
  }
}

extension HostRequest.Ask {
  package var word: String { object.members[0].value.string ?? "" }

  fileprivate var object: LineObject {
    switch self {
    case .greet(let debugger):
      ["ask": "greet", "version": ProtocolVersion.current.value, "debugger": debugger]
    case .load(let path, let isComputed):
      ["ask": "load", "path": path, "computed": isComputed]
    case .run(let run):
      [
        "ask": "run", "branch": run.branch.value, "from": run.from, "until": run.until,
      ]
    case .state(let branch, let step): ["ask": "state", "branch": branch.value, "step": step]
    case .verify(let options): ["ask": "verify", "options": options]
    case .source(let branch, let steps, let unfinished):
      [
        "ask": "source", "branch": branch.value, "from": steps.lowerBound,
        "until": steps.upperBound, "unfinished": unfinished,
      ]
    case .live(let live):
      [
        "ask": "live", "branch": live.branch.value, "effect": live.effect,
        "question": live.question, "time": live.limits.time, "emissions": live.limits.emissions,
      ]
    case .check(.action(let action)): ["ask": "check", "action": action]
    case .check(.part(let pointer, let value, let step, let branch)):
      [
        "ask": "check", "branch": branch.value, "step": step, "pointer": pointer, "value": value,
      ]
    case .actions: ["ask": "actions"]
    case .whereabouts: ["ask": "whereabouts"]
    case .cancel(let request): ["ask": "cancel", "request": request]
    case .quit: ["ask": "quit"]
    }
  }
}

extension ValueCheck {
  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    if let action = fields.optional("action") {
      self = .action(action)
      return
    }
    self = .part(
      try fields.pointer("pointer"), try fields.value("value"), step: try fields.int("step"),
      of: try BranchPath(fields))
  }
}

extension BranchPath {
  var value: Value {
    .array(ValueArray(branches.map(\.value)))
  }

  init(_ fields: ValueFields) throws(ValueFieldError) { self.init(try fields.list("branch")) }
}

extension NamedScript: LineCoded {
  package var object: LineObject { ["name": id.text, "script": script, "endsAt": endsAt] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(id: BranchID(try fields.string("name")), script: try fields.part("script"))
    endsAt = try fields.optionalInt("endsAt")
  }
}

extension ProtocolVersion {
  var value: Value { [.number(Number(major)), .number(Number(minor))] }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    guard let major = value[0].flatMap(ValueFields.int),
      let minor = value[1].flatMap(ValueFields.int)
    else { throw ValueFieldError(place: place, expected: "two whole numbers") }
    self.init(major: major, minor: minor)
  }
}
