import SessionWords
import ValueTree

extension HostRequest {
  package var value: Value {
    .line(["id": id, "ask": ask.word] + asked)
  }

  private var asked: LineObject {
    switch ask {
    case .greet(let debugger): ["version": ProtocolVersion.current.value, "debugger": debugger]
    case .load(let path): ["path": path]
    case .run(let run):
      ["branch": run.branch.value, "from": run.tells.firstStep, "until": run.until]
    case .state(let branch, let step): ["branch": branch.value, "step": step]
    case .verify(let options): ["options": options]
    case .source(let source):
      [
        "branch": source.branch.value, "from": source.steps.lowerBound,
        "until": source.steps.upperBound, "unfinished": source.unfinished,
      ]
    case .live(let live):
      [
        "branch": live.branch.value, "effect": live.effect, "question": live.question,
        "time": live.limits.time, "emissions": live.limits.emissions,
      ]
    case .check(.action(let action)): ["action": action]
    case .check(.part(let pointer, let value, let step, let branch)):
      ["branch": branch.value, "step": step, "pointer": pointer.description, "value": value]
    case .cancel(let request): ["request": request]
    case .actions, .whereabouts, .quit: [:]
    }
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
      ask = .verify(try fields.optionalPart("options") ?? VerifyOptions())
    case "source":
      let first = try fields.int("from")
      ask = .source(
        SourceRequest(
          branch: try BranchPath(fields), steps: first...max(first, try fields.int("until")),
          unfinished: fields.optional("unfinished")))
    case "live":
      var limits = LiveLimits()
      if let time = try fields.duration("time") { limits.time = time }
      if let count = try fields.optionalInt("emissions") { limits.emissions = count }
      ask = .live(
        LiveRequest(
          branch: try BranchPath(fields), effect: try fields.int("effect"),
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

extension ValueCheck {
  fileprivate init(_ fields: ValueFields) throws(ValueFieldError) {
    if let action = fields.optional("action") {
      self = .action(action)
      return
    }
    let text = try fields.string("pointer")
    guard let pointer = try? Pointer(text) else { throw fields.wrong("pointer", "a JSON Pointer") }
    self = .part(
      pointer, try fields.value("value"), step: try fields.int("step"), of: try BranchPath(fields))
  }
}

extension BranchPath {
  var value: Value {
    .array(ValueArray(branches.map(\.value)))
  }

  init(_ fields: ValueFields) throws(ValueFieldError) { self.init(try fields.list("branch")) }
}

extension NamedScript: LineCoded {
  package var object: LineObject { ["name": name, "script": script, "endsAt": endsAt] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(name: try fields.string("name"), script: try fields.part("script"))
    endsAt = try fields.optionalInt("endsAt")
  }
}

extension RunDetail {
  fileprivate var firstStep: Int? {
    if case .steps(let first) = self { first } else { nil }
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
