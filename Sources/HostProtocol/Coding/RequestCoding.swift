import SessionWords
import ValueTree

extension HostRequest {
  package var value: Value {
    var members = LineObject(["id": id, "ask": ask.word])
    switch ask {
    case .greet(let debugger):
      members.add(["version": ProtocolVersion.current.value, "debugger": debugger])
    case .load(let path): members.add("path", path)
    case .run(let run):
      members.add("branch", run.branch.value)
      if case .steps(let first) = run.tells { members.add("from", first) }
      members.add("until", run.until)
    case .state(let branch, let step): members.add(["branch": branch.value, "step": step])
    case .verify(let options): members.add("options", options.value)
    case .source(let source):
      let steps = source.steps
      members.add([
        "branch": source.branch.value, "from": steps.lowerBound, "until": steps.upperBound,
      ])
    case .live(let live):
      members.add([
        "branch": live.branch.value, "effect": live.effect, "question": live.question?.value,
        "time": live.limits.time, "emissions": live.limits.emissions,
      ])
    case .check(.action(let action)): members.add("action", action)
    case .check(.part(let pointer, let value, let step, let branch)):
      members.add([
        "branch": branch.value, "step": step, "pointer": pointer.description, "value": value,
      ])
    case .cancel(let request): members.add("request", request)
    case .actions, .whereabouts, .quit: break
    }
    return members.value
  }

  package init(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "request")
    let ask: Ask
    switch try fields.string("ask") {
    case "greet": ask = .greet(debugger: try fields.optionalString("debugger") ?? "")
    case "load": ask = .load(path: try fields.string("path"))
    case "run":
      ask = .run(
        RunRequest(
          branch: try BranchPath(fields),
          tells: try fields.optionalInt("from").map { .steps(from: $0) } ?? .report,
          until: try fields.optionalInt("until")))
    case "state":
      ask = .state(branch: try BranchPath(fields), step: try fields.int("step"))
    case "verify":
      ask = .verify(
        try VerifyOptions(
          fields.optional("options") ?? [:], at: "request.options"))
    case "source":
      let first = try fields.int("from")
      ask = .source(
        SourceRequest(
          branch: try BranchPath(fields), steps: first...max(first, try fields.int("until"))))
    case "live":
      var limits = LiveLimits()
      if let time = try fields.duration("time") { limits.time = time }
      if let count = try fields.optionalInt("emissions") { limits.emissions = count }
      ask = .live(
        LiveRequest(
          branch: try BranchPath(fields), effect: try fields.int("effect"),
          question: try fields.optional("question", Question.init), limits: limits))
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

extension ValueCheck {
  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    if let action = fields.optional("action") {
      self = .action(action)
      return
    }
    let text = try fields.string("pointer")
    guard let pointer = try? Pointer(text) else {
      throw ValueFieldError(place: "request.pointer", expected: "a JSON Pointer")
    }
    self = .part(
      pointer, try fields.value("value"), step: try fields.int("step"), of: try BranchPath(fields))
  }
}

extension BranchPath {
  var value: Value {
    .array(ValueArray(branches.map { ["name": .string($0.name), "script": $0.script.value] }))
  }

  init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      try fields.list("branch") { (value, place) throws(ValueFieldError) in
        let fields = try ValueFields(value, at: place)
        return NamedScript(
          name: try fields.string("name"), script: try fields.value("script", Script.init))
      })
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
