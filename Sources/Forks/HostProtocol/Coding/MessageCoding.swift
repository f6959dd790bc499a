import SessionWords
import ValueTree

extension HostMessage {
  package var value: Value {
    let told: LineObject =
      switch content {
      case .news(let news): news.object
      case .answer(let answer): answer.object
      case .refusal(let refusal):
        ["refusal": refusal.kind.rawValue, "message": refusal.message]
      }
    return .line(["id": id] + told)
  }

  /// Nil for an unknown kind of news.
  package init?(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "message")
    let id = try fields.int("id")
    if let word = try fields.optionalString("news") {
      guard let news = try HostEvent(word, fields) else { return nil }
      self.init(id: id, .news(news))
    } else if let word = try fields.optionalString("answer") {
      self.init(id: id, .answer(try HostAnswer(word, fields)))
    } else {
      let word = try fields.string("refusal")
      self.init(
        id: id,
        .refusal(
          HostRefusal(
            HostRefusal.Kind(rawValue: word) ?? .other,
            try fields.optionalSentence("message") ?? word.clipped)))
    }
  }
}

extension HostEvent {
  fileprivate var object: LineObject {
    switch self {
    case .progress(let done, let total): ["news": "progress", "done": done, "of": total]
    case .step(let step): ["news": "step", "step": step]
    case .dying(let step, let words): ["news": "dying", "step": step, "words": words]
    }
  }

  fileprivate init?(_ word: String, _ fields: ValueFields) throws(ValueFieldError) {
    switch word {
    case "progress":
      self = .progress(done: try fields.int("done"), of: try fields.int("of"))
    case "step": self = .step(try fields.part("step"))
    case "dying":
      self = .dying(step: try fields.int("step"), words: try fields.optionalSentence("words") ?? "")
    default: return nil
    }
  }
}

extension HostAnswer {
  package var word: String { object.members[0].value.string ?? "" }

  fileprivate var object: LineObject {
    switch self {
    case .greeting(let greeting):
      [
        "answer": "greeting", "version": greeting.version.value, "name": greeting.name,
        "stateType": greeting.stateType, "actionType": greeting.actionType,
        "seesEffects": Value.bool(greeting.seesEffects),
        "runsLive": greeting.runsLive ? nil : Value.bool(false), "checks": greeting.checks,
        "thin": greeting.isThin, "hasState": greeting.hasState, "reads": greeting.can.reads,
        "effects": greeting.can.effects, "bodies": greeting.can.bodies,
        "repeats": greeting.can.repeats, "live": greeting.can.live, "sets": greeting.can.sets,
        "whole": greeting.can.whole,
      ]
    case .loaded(let report):
      [
        "answer": "loaded", "steps": report.steps, "grade": report.grade.rawValue,
        "findings": report.findings,
        "unchecked": report.unchecked > 0 ? report.unchecked : nil,
        "upgraded": report.upgraded > 0 ? report.upgraded : nil, "remarks": report.remarks,
        "notes": report.notes, "files": report.files,
      ]
    case .ran(let report): ["answer": "ran", "report": report]
    case .state(let state): ["answer": "state", "state": state]
    case .verified(let report): ["answer": "verified", "report": report]
    case .live(let run): ["answer": "live", "run": run]
    case .source(let source):
      [
        "answer": "source", "reducer": source.reducer, "modules": source.modules,
        "state": source.state, "steps": source.steps, "library": source.library,
      ]
    case .checked(let problem):
      ["answer": "checked", "path": problem?.path, "problem": problem?.sentence]
    case .actions(let actions):
      ["answer": "actions", "actions": Value.array(ValueArray(actions))]
    case .whereabouts(let step): ["answer": "whereabouts", "step": step]
    case .done: ["answer": "done"]
    }
  }

  fileprivate init(_ word: String, _ fields: ValueFields) throws(ValueFieldError) {
    switch word {
    case "greeting":
      var greeting = HostGreeting(
        version: try fields.value("version", ProtocolVersion.init),
        name: try fields.sentence("name"),
        stateType: try fields.optionalSentence("stateType") ?? "",
        actionType: try fields.optionalSentence("actionType") ?? "",
        seesEffects: fields.bool("seesEffects"))
      greeting.runsLive = fields.optional("runsLive") != false
      greeting.checks = fields.bool("checks")
      greeting.isThin = fields.bool("thin")
      greeting.hasState = fields.bool("hasState")
      greeting.can.reads = fields.bool("reads")
      greeting.can.effects = fields.bool("effects")
      greeting.can.bodies = greeting.can.effects && fields.bool("bodies")
      greeting.can.repeats = greeting.can.bodies && fields.bool("repeats")
      greeting.can.live = greeting.can.bodies && fields.bool("live")
      greeting.can.sets = greeting.can.effects && fields.bool("sets")
      greeting.can.whole = greeting.can.bodies && fields.bool("whole")
      self = .greeting(greeting)
    case "loaded":
      var report = LoadReport(
        steps: try fields.int("steps"), grade: try fields.word("grade"),
        findings: try fields.list("findings"))
      report.unchecked = try fields.optionalInt("unchecked") ?? 0
      report.upgraded = try fields.optionalInt("upgraded") ?? 0
      report.remarks = try fields.strings("remarks")
      report.notes = try fields.sentences("notes")
      report.files = try fields.strings("files")
      self = .loaded(report)
    case "ran": self = .ran(try fields.part("report"))
    case "state": self = .state(try fields.value("state"))
    case "verified": self = .verified(try fields.part("report"))
    case "live": self = .live(try fields.part("run"))
    case "source":
      var source = StepSource(
        reducer: try fields.string("reducer"), modules: try fields.strings("modules"),
        state: try fields.string("state"), steps: try fields.list("steps"))
      source.library = try fields.optionalPart("library")
      self = .source(source)
    case "checked":
      self = .checked(
        try fields.optionalSentence("problem").map { (sentence) throws(ValueFieldError) in
          ValueProblem(path: try fields.place("path"), sentence: sentence)
        })
    case "actions":
      self = .actions(
        try fields.list("actions") { (value, _) throws(ValueFieldError) in value })
    case "whereabouts": self = .whereabouts(step: try fields.optionalInt("step"))
    case "done": self = .done
    default: throw fields.wrong("answer", "an answer that is known")
    }
  }
}

extension StepSource.Step: LineCoded {
  package var object: LineObject {
    [
      "step": number, "action": action,
      "changes": Value.array(ValueArray(changes.map(Value.string))),
      "before": before.isEmpty ? nil : Value.array(ValueArray(before.map(Value.string))),
      "shared": shared.isEmpty ? nil : shared,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      number: try fields.int("step"), action: try fields.string("action"),
      changes: try fields.strings("changes"))
    before = try fields.strings("before")
    shared = try fields.list("shared")
  }
}

extension StepSource.Step.Shared: LineCoded {
  package var object: LineObject { ["path": path, "value": value] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(path: try fields.string("path"), value: try fields.string("value"))
  }
}

extension StepSource.Library: LineCoded {
  package var object: LineObject {
    [
      "decoded": isDecoded, "comparesStates": comparesStates,
      "comparesActions": comparesActions, "preamble": preamble, "remarks": remarks,
    ]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init()
    isDecoded = fields.bool("decoded")
    comparesStates = fields.bool("comparesStates")
    comparesActions = fields.bool("comparesActions")
    preamble = try fields.strings("preamble")
    remarks = try fields.sentences("remarks")
  }
}

extension LoadReport.Finding: LineCoded {
  package var object: LineObject {
    ["step": step, "type": type, "path": path, "problem": problem]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      step: try fields.int("step"), type: try fields.sentence("type"),
      path: try fields.place("path"), problem: try fields.sentence("problem"))
  }
}

extension ValueFields {
  /// A sentence for people, cut to a readable length.
  func sentence(_ key: String) throws(ValueFieldError) -> String { try string(key).clipped }

  func optionalSentence(_ key: String) throws(ValueFieldError) -> String? {
    try optionalString(key)?.clipped
  }

  /// The whole value if absent, and the part around it if the pointer is too long.
  func place(_ key: String) throws(ValueFieldError) -> Pointer {
    guard optional(key) != nil else { return [] }
    var room = HostLimits.sentence
    let tokens = try pointer(key).tokens.prefix { token in
      room -= token.utf8.count + 1
      return room >= 0
    }
    return Pointer(tokens: tokens)
  }

  func sentences(_ key: String) throws(ValueFieldError) -> [String] {
    try strings(key).map(\.clipped)
  }
}

extension String {
  package var clipped: String {
    guard utf8.count > HostLimits.sentence else { return self }
    return String(decoding: utf8.prefix(HostLimits.sentence - 3), as: UTF8.self) + "…"
  }
}
