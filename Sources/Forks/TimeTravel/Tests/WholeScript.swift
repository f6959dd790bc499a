import SessionWords
import ValueTree

/// The body of a test of a whole app: the user's actions, and the answers from outside.
package struct WholeScript: Sendable {
  var lines: [String] = []
  /// As a member of JavaScript: when the recording began.
  var began = ""
  var place = "node"
  /// The state that the test ends with, and the label of its last step.
  var state = Value.null
  var label = ""

  /// The question of each effect, in the order of their starts.
  private var questions: [(effect: EffectID, words: String)] = []
  private var answers: [EffectID: String] = [:]

  /// In milliseconds, as the test has them.
  fileprivate static func text(_ time: Duration) -> String {
    let micro = Int((time / .microseconds(1)).rounded())
    return micro % 1_000 == 0 ? "\(micro / 1_000)" : Number(Double(micro) / 1_000).text
  }

  private static func members(_ object: some Sequence<(key: String, value: Value)>) -> [String] {
    object.map { "\($0.key): \(NodeTestWriter.literal($0.value))" }
  }

  /// An answer, or one thing that came through a channel: what the action says of it.
  fileprivate mutating func add(_ told: ValueObject, of effect: EffectID, after wait: Duration) {
    var members = told.filter { !["answer", "asks", "hear"].contains($0.key) }
    if case .array(let asks)? = told["asks"],
      let index = questions.firstIndex(where: { $0.effect == effect })
    {
      questions[index].words = asks.compactMap(\.string).joined(separator: " ")
    }
    if case .string(let body)? = told["body"], let json = try? Value(parsing: body),
      json.text() == body, told["kind"]?.string?.contains("json") == true
    {
      members.removeAll { ["body", "kind"].contains($0.key) }
      members.append((key: "json", value: json))
    }
    members.removeAll { $0.key == "status" && $0.value == 200 }
    let all = ["after: \(Self.text(wait))"] + Self.members(members)
    let answer = "{ \(all.joined(separator: ", ")) }"
    answers[effect] = (answers[effect].map { $0 + ", " } ?? "") + answer
  }

  fileprivate mutating func ask(_ words: String, by effect: EffectID) {
    questions.append((effect, words))
  }

  /// The answers before what the user does.
  fileprivate mutating func finish(at time: Duration) {
    var told: [String] = []
    for (index, asked) in questions.enumerated() {
      let same = questions.filter { $0.words == asked.words }
      guard !questions[..<index].contains(where: { $0.words == asked.words }),
        same.contains(where: { answers[$0.effect] != nil })
      else { continue }
      let all = same.map { answers[$0.effect] ?? "null" }.joined(separator: ", ")
      told.append("  run.answers(\(NodeTestWriter.json(.string(asked.words))), \(all));\n")
    }
    lines = told + lines + ["  await run.until(\(Self.text(time + .microseconds(1))));\n"]
  }

  /// Writes a line for a step of the user; later steps use what the calls in `used` returned.
  fileprivate mutating func add(_ step: Step, at time: Duration, used: Set<String>) throws {
    let (at, told) = (Self.text(time), step.action["retcon"])
    let key = "s\(step.number)"
    var given: [String] = []
    if case .array(let all)? = told?["arguments"] { given = all.map(NodeTestWriter.literal) }
    func add(_ call: String, _ arguments: [String]) {
      let name = used.contains(key) ? "const \(key) = " : ""
      let all = ([at] + arguments).joined(separator: ", ")
      lines.append("  \(name)await run.\(call)(\(all));\n")
    }
    func quoted(_ text: String) -> String { NodeTestWriter.json(.string(text)) }
    switch (told?["call"], told?["abort"] ?? told?["of"]) {
    case (.string(let name)?, _):
      guard let options = told?["options"] else { return add("call", [quoted(name)] + given) }
      add("send", [quoted(name), given.first ?? "undefined", NodeTestWriter.literal(options)])
    case (_?, _):
      throw Trouble(
        "step \(step.number) dispatches a function without a name, and a test cannot call it",
        next: "Name it with recorder.calls: docs/redux.md")
    case (nil, .string(let call)?):
      guard lines.contains(where: { $0.hasPrefix("  const \(call) =") }) else {
        throw Trouble(
          "step \(step.number) uses what an earlier call returned, and this test does not call it",
          next: "Write a test of the recording, not of a fork")
      }
      let reason = told?["reason"].map { [NodeTestWriter.literal($0)] } ?? []
      let use = told?["use"]?.string ?? "abort"
      add("use", [call, quoted(use)] + (told?["use"] == nil ? reason : given))
    default: add("dispatch", [NodeTestWriter.literal(told?["dispatch"] ?? step.action)])
    }
  }
}

/// The ids of Redux Toolkit's requests are chance, so a test has their numbers. They count in the
/// order in which a turn's actions tell them, and then the state at its end.
private struct RequestNumbers {
  private(set) var names: [String: String] = [:]

  mutating func add(_ ids: [String]) {
    for id in ids where names[id] == nil { names[id] = "request \(names.count + 1)" }
  }
}

extension Value {
  /// The action's own request, or those of the subscriptions that RTK Query tells as patches.
  fileprivate var requests: [String] {
    if case .string(let id)? = self["meta"]?["requestId"] { return [id] }
    guard case .array(let patches)? = self["payload"],
      self["type"]?.string?.hasSuffix("/subscriptionsUpdated") == true
    else { return [] }
    return patches.flatMap { patch -> [String] in
      guard case .array(let path)? = patch["path"] else { return [] }
      if path.count > 1 { return [path[1].string ?? path[1].text()] }
      let told = patch["value"] ?? .null
      return (path.isEmpty ? told.members.map(\.value) : [told]).flatMap { $0.members.map(\.key) }
    }
  }

  /// The requests that a state keeps: by a member's name, or in the state of RTK Query.
  fileprivate var keptRequests: [String] {
    if case .array(let array) = self { return array.flatMap(\.keptRequests) }
    let isOfQuery = ["queries", "mutations", "subscriptions"].allSatisfy { self[$0] != nil }
    return members.flatMap { key, value -> [String] in
      if case .string(let id) = value { return key.lowercased().hasSuffix("requestid") ? [id] : [] }
      guard isOfQuery, key == "subscriptions" else { return value.keptRequests }
      return value.members.flatMap { $0.value.members.map(\.key) }
    }
  }

  /// In the order of JavaScript, where numbers come first.
  private var members: [(key: String, value: Value)] {
    guard case .object(let object) = self else { return [] }
    let all = object.map { (key: $0.key, value: $0.value, number: UInt32($0.key) ?? .max) }
    return all.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
      .map { ($0.element.key, $0.element.value) }
  }
}

extension Value {
  /// With other texts, also as keys.
  fileprivate func renamed(_ names: [String: String]) -> Value {
    switch self {
    case .string(let text): .string(names[text] ?? text)
    case .array(let array): .array(ValueArray(array.map { $0.renamed(names) }))
    case .object(let object):
      .object(ValueObject(object.map { (names[$0.key] ?? $0.key, $0.value.renamed(names)) }))
    case .null, .bool, .number: self
    }
  }
}

extension Step {
  var isOutput: Bool { if case .output = cause { true } else { false } }
}

extension OpenSession {
  /// A test of the app with its middleware, up to the end of a step's turn. A test sees actions only
  /// with Retcon's loader.
  func wholeScript(
    upTo last: Int, on branch: BranchID, _ rule: Condition?, seesActions: Bool
  ) async throws -> WholeScript {
    let header = try recording.header()
    var script = WholeScript()
    script.place = header.world ?? "node"
    script.began = "began: \(NodeTestWriter.json(header.started.map(Value.string) ?? .null))"
    let all = self.branch(branch)?.steps ?? summary.steps
    var steps: [Step] = []
    for number in all.dropFirst() {
      let step = try step(at: Position(branch: branch, step: number)).step
      if number > last, !step.isOutput { break }
      steps.append(step)
    }
    let number = steps.last?.number ?? last
    let used = Set(
      steps.compactMap { step in
        let told = step.action["retcon"]
        return (told?["abort"] ?? told?["of"])?.string
      })
    var (starts, turn) = ([EffectID: Duration](), Duration.zero)
    var requests = RequestNumbers()
    func stateLeft(by step: Int) async throws -> Value {
      try await state(at: Position(branch: branch, step: step)) ?? .null
    }
    for (index, step) in steps.enumerated() {
      guard let time = step.time else {
        throw Trouble("step \(step.number) has no time", place: summary.name)
      }
      if !step.isOutput {
        turn = time
        requests.add(try await stateLeft(by: index == 0 ? 0 : steps[index - 1].number).keptRequests)
      }
      if seesActions { requests.add(step.action.requests) }
      switch step.cause {
      case .effect(let effect):
        if case .object(let told)? = step.action["retcon"], told["fire"] == nil {
          script.add(told, of: effect, after: turn - (starts[effect] ?? turn))
        }
      case .output: break
      case .user, .outside, .unknown: try script.add(step, at: time, used: used)
      }
      for event in try events(after: Position(branch: branch, step: step.number)) {
        guard case .started(let origin) = event.kind else { continue }
        starts[event.effect] = turn
        let asked = try questions(of: event.effect).last
        let parts = asked?.arguments?.compactMap(\.string) ?? [origin.name ?? ""]
        script.ask(
          ((asked.map { $0.key == "fetch" ? [] : [$0.key] } ?? []) + parts).joined(separator: " "),
          by: event.effect)
      }
    }
    script.finish(at: turn)
    script.label = steps.last?.label ?? ""
    script.state = try await stateLeft(by: number)
    requests.add(script.state.keptRequests)
    script.state = script.state.renamed(requests.names)
    guard let rule else { return script }
    var breaks = false
    try await find(StepQuestion("!(\(rule.text))"), in: number...number, of: branch) { _ in
      breaks = true
      return false
    }
    guard breaks else {
      throw Trouble(
        "the rule breaks at step \(last), and holds again when the app has done all at once",
        next: "Write a rule about step \(number), or a test without --whole")
    }
    return script
  }
}
