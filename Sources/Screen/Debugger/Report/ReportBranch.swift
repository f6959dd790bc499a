import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// Reads a branch from its redacted copy, and writes its steps as the page shows them.
///
/// A line of text is a list: texts, `[class, text]`, and for links `[step]` or `[step, branch]`.
struct ReportBranch {
  let facts: ReportFacts
  let branch: ReportFacts.Branch
  let file: String
  /// The redacted copies of the branches, by their numbers.
  let copies: [Int: OpenSession]
  let own: OpenSession
  let effects: [EffectSpan]
  private let spans: [EffectID: EffectSpan]
  private let raised: [Int: [Assumption]]
  private let stale: Set<EffectID>
  private let redactor: Redactor

  init?(
    _ index: Int, of facts: ReportFacts, _ copies: [Int: OpenSession],
    _ redaction: Redaction = Redaction()
  ) throws {
    let branch = facts.branches[index]
    guard let own = copies[index], let file = branch.file else { return nil }
    (self.facts, self.branch, self.file) = (facts, branch, file)
    (self.copies, self.own, redactor) = (copies, own, Redactor(redaction))
    let steps = own.summary.steps
    effects = try own.effects(in: steps, of: .main)
    spans = Dictionary(effects.map { ($0.number, $0) }) { first, _ in first }
    let assumptions = own.assumptions(at: Position(step: steps.upperBound))
    raised = Dictionary(grouping: assumptions, by: \.step)
    stale = Set(assumptions.filter { $0.kind == .stale }.compactMap(\.effect))
  }

  /// Adds each step to the blocks.
  func write(to blocks: ReportBlocks) async throws {
    let (steps, reader) = (own.summary.steps, try SessionReader(path: file))
    let posts = Dictionary(grouping: try reader.signposts(in: steps), by: \.step)
    let failures = Dictionary(
      grouping: facts.failures.filter { $0.position.branch == branch.id }, by: \.position.step)
    let marks = Dictionary(grouping: facts.marks.filter { $0.0.branch == branch.id }, by: \.0.step)
    var beside: [Int: (line: Value, changes: Value)] = [:]
    for (place, from) in branch.from.enumerated() {
      let step = branch.leavesAt + 1 + place
      beside[step] = try await comparison(of: step, with: from)
    }
    // The reads of each effect since its last action. The page shows the first of them.
    var reads: [EffectID: [Value]] = [:]
    try await own.visit([Pointer()], in: steps, of: .main) { number, state in
      let step = try own.step(at: Position(step: number)).step
      var entry = ReportBlocks.Entry(number: number, label: step.isLost ? nil : step.label)
      (entry.time, entry.action, entry.state) = (step.time, step.action, state)
      entry.payload = ValuePreview.payload(of: step.action, label: step.label, limit: 60)
      var head = step.damage.map { [line("red", $0)] } ?? []
      head += step.isSkipped ? [line("quiet", "It was skipped when it was recorded.")] : []
      head += (failures[number] ?? []).map { line("red", redacted("✗ \($0.words)")) }
      head += (marks[number] ?? []).map { _, note in
        line("amber", "▲ \(note.isEmpty ? "marked" : note)")
      }
      head += (posts[number] ?? []).map { line("quiet", "⚑ \($0.text)") }
      if number == steps.lowerBound {
        entry.label = number == 0 ? "init" : "the state before"
      } else {
        (entry.sender, entry.from) = sender(of: step)
        try reader.visitReads(in: (number - 1)...(number - 1)) { read in
          guard let effect = read.effect, !stale.contains(effect),
            reads[effect, default: []].count < 60
          else { return }
          reads[effect, default: []].append(line(read.read))
        }
      }
      let sign = failures[number] != nil ? "✗" : marks[number] != nil ? "▲" : nil
      let glyph = entry.sender.isEmpty ? "" : step.cause.glyph.filter { $0 != " " }
      entry.sign = step.standing?.glyphs ?? sign ?? glyph
      var read = step.reads.prefix(60).map(line)
      if case .effect(let effect) = step.cause { read += reads.removeValue(forKey: effect) ?? [] }
      let doubts = trust(in: step) + (beside[number].map { [$0.line] } ?? [])
      let stack = step.stack.map { [line("pre", $0.clipped(to: 4_000))] } ?? []
      for (title, lines, changes) in [
        ("", head, []), (title, doubts, beside[number]?.changes),
        ("Sent from", stack, []), ("What it read", read, []),
      ] as [(String, [Value], Value?)] where !lines.isEmpty {
        entry.sections.append([.string(title), .array(ValueArray(lines)), changes ?? []])
      }
      try blocks.add(entry)
      return true
    }
    try blocks.finish(effects: effects.map(line))
  }

  private func redacted(_ words: String) -> String { redactor.text(words, .message) }

  private func line(_ kind: String, _ words: String) -> Value {
    [[.string(kind), .string(words)]]
  }

  private func line(_ read: Read) -> Value {
    let arguments = read.arguments.map { list in
      "(\(list.map { ValuePreview.text($0, limit: 60) }.joined(separator: ", ")))"
    }
    let value = ValuePreview.text(read.outcome.content, limit: 300)
    let sign: Value = read.outcome.isError ? ["red", " ✗ "] : " "
    return [["code", .string(read.key + (arguments ?? ""))], sign, ["code", .string(value)]]
  }

  /// The steps at which an effect is there, and what the page says of it.
  private func line(_ effect: EffectSpan) -> Value {
    let (origin, end) = (effect.origin, effect.end)
    var line: [Value] = [
      ["code", .string(effect.name)], .string(" \(origin.startWords) "), [Value(origin.step)], ", ",
    ]
    if let end {
      let took = end.time.flatMap { end in effect.started.map { (end - $0).longText } }
      var (how, message) = ("finished", "")
      switch end.manner {
      case .cancelled: how = "cancelled"
      case .failed(let reason): (how, message) = ("failed", ": \(reason)")
      case .finished: if effect.answersFailure { how = "answered with a failure" }
      }
      how += took.map { " after \($0)" } ?? ""
      line += [[how.contains("fail") ? "red" : "", .string(how)], " at ", [Value(end.step)]]
      line.append(["red", .string(message)])
    } else {
      line.append(["amber", "never ended"])
    }
    line.append(["quiet", .string("  " + effect.placeText)])
    return [Value(origin.step), end.map { Value($0.step) } ?? .null, .array(ValueArray(line))]
  }

  /// The sender of a step in words, and the step to go to.
  private func sender(of step: Step) -> (words: String, from: Int?) {
    guard step.tellsCause(ifKnown: own.summary.knowsCauses) else {
      return (OutsideSender.unknown.words, nil)
    }
    switch step.cause {
    case .user, .unknown: return (OutsideSender.user.words, nil)
    case .outside(let name): return (OutsideSender.outside(name).words, nil)
    case .output(let from): return ("sent by the reducer", from)
    case .effect(let number):
      let effect = spans[number]
      let place = effect.map { $0.placeText.isEmpty ? "" : "  \($0.placeText)" } ?? ""
      let from = effect.flatMap { $0.origin.isFromOutside ? nil : $0.origin.step }
      return ("sent by \(effect?.name ?? number.words)\(place)", from)
    }
  }

  // MARK: Beside the parent

  private var parentName: String { branch.parent.map { facts.branches[$0].name } ?? "" }
  private var title: String {
    redacted(branch.parent == 0 ? "Beside the recording" : "Beside \(parentName)")
  }

  /// How far a step can be trusted.
  private func trust(in step: Step) -> [Value] {
    (step.standing.map { [line("", "\($0.glyphs) \($0.sentence).")] } ?? [])
      + (raised[step.number] ?? []).map { line("amber", "\($0.sentence). \($0.settling)") }
  }

  /// From the state of the parent's step to the fork's.
  private func comparison(
    of step: Int, with from: Int?
  ) async throws -> (line: Value, changes: Value)? {
    guard var owner = branch.parent else { return nil }
    guard let from else {
      return (line("quiet", redacted("“\(parentName)” has no such step.")), [])
    }
    let link: Value = [Value(from), Value(owner)]
    while let parent = facts.branches[owner].parent, from <= facts.branches[owner].leavesAt {
      owner = parent
    }
    func told(_ words: String, _ end: String) -> Value {
      [.string(words), link, .string(redacted(" of \(parentName)\(end)"))]
    }
    guard let theirs = try await copies[owner]?.knownState(at: Position(step: from)) else {
      return (told("Not compared with the state of ", "."), [])
    }
    guard let ours = try await own.knownState(at: Position(step: step)) else {
      let before = try await copies[owner]?.knownState(at: Position(step: from - 1))
      guard let before else { return (told("Not compared with the state of ", "."), []) }
      let change = Difference(from: before, to: theirs, matching: .shown)
      guard !change.isEmpty else { return (told("Nothing was changed by ", "."), []) }
      let list = ReportChanges.list(change, from: before, to: theirs, limit: 50)
      return (told("What was changed by ", ":"), list)
    }
    let difference = Difference(from: theirs, to: ours, matching: .shown)
    guard !difference.isEmpty else { return (told("The same state as ", "."), []) }
    let list = ReportChanges.list(difference, from: theirs, to: ours, limit: 50)
    return (told("Different from ", ":"), list)
  }
}

extension EffectSpan {
  fileprivate var placeText: String {
    origin.file.isEmpty || origin.line == 0 ? "" : "\(origin.file):\(origin.line)"
  }
}
