import SessionLog
import ValueTree

extension HostMessage {
  package var value: Value {
    var members = Members()
    members.set("id", id)
    switch content {
    case .news(let news): news.write(into: &members)
    case .answer(let answer): answer.write(into: &members)
    case .refusal(let refusal):
      members.set("refusal", refusal.kind.rawValue)
      members.set("message", refusal.message)
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
  fileprivate func write(into members: inout Members) {
    switch self {
    case .progress(let done, let total):
      members.set("news", "progress")
      members.set("done", done)
      members.set("of", total)
    case .step(let step):
      members.set("news", "step")
      members.set("step", step.protocolValue)
    case .divergence(let divergence):
      members.set("news", "divergence")
      members.set("divergence", divergence.protocolValue)
    case .dying(let step, let words):
      members.set("news", "dying")
      members.set("step", step)
      members.set("words", words)
    }
  }

  fileprivate init?(_ word: String, _ fields: ValueFields) throws(ValueFieldError) {
    switch word {
    case "progress":
      self = .progress(done: try fields.int("done"), of: try fields.int("of"))
    case "step":
      self = .step(
        try BranchStep(protocolValue: try fields.value("step"), at: "message.step"))
    case "divergence":
      self = .divergence(
        try Divergence(
          protocolValue: try fields.value("divergence"), at: "message.divergence"))
    case "dying":
      self = .dying(
        step: try fields.int("step"), words: try fields.optionalSentence("words") ?? "")
    default: return nil
    }
  }
}

extension HostAnswer {
  fileprivate func write(into members: inout Members) {
    members.set("answer", word)
    switch self {
    case .greeting(let greeting):
      members.set("version", greeting.version.protocolValue)
      members.set("name", greeting.name)
      members.set("stateType", greeting.stateType)
      members.set("actionType", greeting.actionType)
      members.set("seesEffects", .bool(greeting.seesEffects))
    case .loaded(let report):
      members.set("steps", report.steps)
      members.set("grade", report.grade.rawValue)
      members.set("findings", list: report.findings.map(\.protocolValue))
      if report.unchecked > 0 { members.set("unchecked", report.unchecked) }
      if report.upgraded > 0 { members.set("upgraded", report.upgraded) }
      members.set("remarks", list: report.remarks.map(Value.string))
    case .ran(let report):
      members.set("report", report.protocolValue)
    case .state(let state):
      members.set("state", state)
    case .verified(let report):
      members.set("report", report.protocolValue)
    case .live(let run):
      members.set("run", run.value)
    case .whereabouts(let step):
      members.set("step", step)
    case .done: break
    }
  }

  fileprivate init(_ word: String, _ fields: ValueFields) throws(ValueFieldError) {
    switch word {
    case "greeting":
      self = .greeting(
        HostGreeting(
          version: try ProtocolVersion(
            protocolValue: try fields.value("version"), at: "message.version"),
          name: try fields.sentence("name"),
          stateType: try fields.optionalSentence("stateType") ?? "",
          actionType: try fields.optionalSentence("actionType") ?? "",
          seesEffects: fields.bool("seesEffects")))
    case "loaded":
      var report = LoadReport(
        steps: try fields.int("steps"), grade: try fields.word("grade"),
        findings: try fields.list("findings", LoadReport.Finding.init(protocolValue:at:)))
      report.unchecked = try fields.optionalInt("unchecked") ?? 0
      report.upgraded = try fields.optionalInt("upgraded") ?? 0
      report.remarks = try fields.strings("remarks")
      self = .loaded(report)
    case "ran":
      self = .ran(
        try BranchReport(protocolValue: try fields.value("report"), at: "message.report"))
    case "state": self = .state(try fields.value("state"))
    case "verified":
      self = .verified(
        try VerifyReport(protocolValue: try fields.value("report"), at: "message.report"))
    case "live": self = .live(try LiveRun(try fields.value("run"), at: "message.run"))
    case "whereabouts": self = .whereabouts(step: try fields.optionalInt("step"))
    case "done": self = .done
    default:
      throw ValueFieldError(place: "message.answer", expected: "an answer that is known")
    }
  }
}

extension LoadReport.Finding {
  var protocolValue: Value {
    [
      "step": .number(Number(step)), "type": .string(type), "path": .string(path),
      "problem": .string(problem),
    ]
  }

  init(protocolValue value: Value, at place: String) throws(ValueFieldError) {
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
