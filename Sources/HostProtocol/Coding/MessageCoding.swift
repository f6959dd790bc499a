import SessionWords
import ValueTree

extension HostMessage {
  package var value: Value {
    var members = LineObject(["id": id])
    switch content {
    case .news(let news): news.write(into: &members)
    case .answer(let answer): answer.write(into: &members)
    case .refusal(let refusal):
      members.add(["refusal": refusal.kind.rawValue, "message": refusal.message])
    }
    return members.value
  }

  /// Nil for a kind of news that this version does not know.
  package init?(_ value: Value) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "message")
    let id = try fields.int("id")
    if let word = try fields.optionalString("news") {
      guard let news = try HostNews(word, fields) else { return nil }
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

extension HostNews {
  fileprivate func write(into members: inout LineObject) {
    switch self {
    case .progress(let done, let total):
      members.add(["news": "progress", "done": done, "of": total])
    case .step(let step): members.add(["news": "step", "step": step.value])
    case .dying(let step, let words):
      members.add(["news": "dying", "step": step, "words": words])
    }
  }

  fileprivate init?(_ word: String, _ fields: ValueFields) throws(ValueFieldError) {
    switch word {
    case "progress":
      self = .progress(done: try fields.int("done"), of: try fields.int("of"))
    case "step":
      self = .step(try fields.value("step", BranchStep.init))
    case "dying":
      self = .dying(step: try fields.int("step"), words: try fields.optionalSentence("words") ?? "")
    default: return nil
    }
  }
}

extension HostAnswer {
  fileprivate func write(into members: inout LineObject) {
    members.add("answer", word)
    switch self {
    case .greeting(let greeting):
      members.add([
        "version": greeting.version.value, "name": greeting.name,
        "stateType": greeting.stateType, "actionType": greeting.actionType,
        "seesEffects": Value.bool(greeting.seesEffects),
        "runsLive": greeting.runsLive ? nil : Value.bool(false), "checks": greeting.checks,
      ])
    case .loaded(let report):
      members.add([
        "steps": report.steps, "grade": report.grade.rawValue,
        "findings": report.findings.map(\.value),
        "unchecked": report.unchecked > 0 ? report.unchecked : nil,
        "upgraded": report.upgraded > 0 ? report.upgraded : nil, "remarks": report.remarks,
      ])
    case .ran(let report): members.add("report", report.value)
    case .state(let state): members.add("state", state)
    case .verified(let report): members.add("report", report.value)
    case .live(let run): members.add("run", run.value)
    case .source(let source):
      members.add([
        "reducer": source.reducer, "modules": source.modules, "state": source.state,
        "steps": source.steps.map(\.value),
      ])
    case .checked(let problem):
      members.add(["path": problem?.path, "problem": problem?.sentence])
    case .actions(let actions): members.add("actions", Value.array(ValueArray(actions)))
    case .whereabouts(let step): members.add("step", step)
    case .done: break
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
      self = .greeting(greeting)
    case "loaded":
      var report = LoadReport(
        steps: try fields.int("steps"), grade: try fields.word("grade"),
        findings: try fields.list("findings", LoadReport.Finding.init))
      report.unchecked = try fields.optionalInt("unchecked") ?? 0
      report.upgraded = try fields.optionalInt("upgraded") ?? 0
      report.remarks = try fields.strings("remarks")
      self = .loaded(report)
    case "ran": self = .ran(try fields.value("report", BranchReport.init))
    case "state": self = .state(try fields.value("state"))
    case "verified": self = .verified(try fields.value("report", VerifyReport.init))
    case "live": self = .live(try fields.value("run", LiveRun.init))
    case "source":
      self = .source(
        StepSource(
          reducer: try fields.string("reducer"), modules: try fields.strings("modules"),
          state: try fields.string("state"),
          steps: try fields.list("steps", StepSource.Step.init)))
    case "checked":
      self = .checked(
        try fields.optionalSentence("problem").map { (sentence) throws(ValueFieldError) in
          ValueProblem(path: try fields.optionalString("path") ?? "", sentence: sentence)
        })
    case "actions":
      self = .actions(
        try fields.list("actions") { (value, _) throws(ValueFieldError) in value })
    case "whereabouts": self = .whereabouts(step: try fields.optionalInt("step"))
    case "done": self = .done
    default:
      throw ValueFieldError(place: "message.answer", expected: "an answer that is known")
    }
  }
}

extension StepSource.Step {
  var value: Value {
    .line([
      "step": number, "action": action,
      "changes": Value.array(ValueArray(changes.map(Value.string))),
    ])
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      number: try fields.int("step"), action: try fields.string("action"),
      changes: try fields.strings("changes"))
  }
}

extension LoadReport.Finding {
  var value: Value {
    .line(["step": step, "type": type, "path": path, "problem": problem])
  }

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    self.init(
      step: try fields.int("step"), type: try fields.sentence("type"),
      path: try fields.sentence("path"), problem: try fields.sentence("problem"))
  }
}

extension ValueFields {
  /// What a person reads: no longer than anybody would.
  func sentence(_ key: String) throws(ValueFieldError) -> String { try string(key).clipped }

  func optionalSentence(_ key: String) throws(ValueFieldError) -> String? {
    try optionalString(key)?.clipped
  }

  func sentences(_ key: String) throws(ValueFieldError) -> [String] {
    try strings(key).map(\.clipped)
  }
}

extension String {
  /// Cut at its end when it is longer than a sentence may be.
  var clipped: String {
    guard utf8.count > HostLimits.sentence else { return self }
    return String(decoding: utf8.prefix(HostLimits.sentence - 3), as: UTF8.self) + "…"
  }
}
