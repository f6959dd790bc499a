import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// Reads a branch from its redacted copy, and writes it as the page shows it: nothing is left for
/// the page to compare or to parse.
struct ReportBranch {
  let facts: ReportFacts
  let branch: ReportFacts.Branch
  let file: String
  /// The redacted copies of the branches, by their numbers.
  let copies: [Int: OpenSession]
  let own: OpenSession
  private let effects: [EffectSpan]
  private let spans: [EffectID: EffectSpan]
  private let raised: [Int: [Assumption]]
  private let stale: [Value]

  init?(_ index: Int, of facts: ReportFacts, _ copies: [Int: OpenSession]) throws {
    let branch = facts.branches[index]
    guard let own = copies[index], let file = branch.file else { return nil }
    (self.facts, self.branch, self.file) = (facts, branch, file)
    (self.copies, self.own) = (copies, own)
    let steps = own.summary.steps
    effects = try own.effects(in: steps, of: .main)
    spans = Dictionary(effects.map { ($0.number, $0) }) { first, _ in first }
    let assumptions = own.assumptions(at: Position(step: steps.upperBound))
    raised = Dictionary(grouping: assumptions, by: \.step)
    stale = assumptions.filter { $0.kind == .stale }.compactMap(\.effect).map { Value($0.number) }
  }

  /// The effects, the notes, and what each effect read.
  func surroundings(_ lines: [UInt8]) throws -> Value {
    let posts = try SessionReader(path: file).signposts(in: own.summary.steps)
    return [
      "stale": .array(ValueArray(stale)), "reads": reads(in: lines),
      "effects": .list(effects) { effect in
        let end = effect.end
        let took = end?.time.flatMap { end in effect.started.map { (end - $0).longText } }
        var (how, message) = ("finished", "")
        switch end?.manner {
        case .cancelled: how = "cancelled"
        case .failed(let reason): (how, message) = ("failed", reason)
        case .finished where effect.answersFailure: how = "answered with a failure"
        case .finished, nil: break
        }
        return [
          Value(effect.number.number), .string(effect.name), .string(effect.placeText),
          Value(effect.origin.step), .bool(effect.origin.isFromOutside),
          end.map { Value($0.step) } ?? .null, .string(how), .string(took ?? ""),
          .string(message), .bool(how.contains("fail")),
        ]
      },
      "posts": .list(posts) { [Value($0.step), .string($0.text)] },
    ]
  }

  /// The first reads of each effect: the page shows no more.
  private func reads(in lines: [UInt8]) -> Value {
    var reads: [EffectID: [Value]] = [:]
    var rest = lines[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      guard line.starts(with: #"{"read":"#.utf8),
        let value = try? Value(parsing: String(decoding: line, as: UTF8.self)),
        case .read(let outside)? = try? LogLine(value), let effect = outside.effect,
        reads[effect, default: []].count < 60
      else { continue }
      reads[effect, default: []].append(text(of: outside.read, after: outside.step))
    }
    var all = ValueObject()
    for (effect, texts) in reads { all["\(effect.number)"] = .array(ValueArray(texts)) }
    return .object(all)
  }

  private func text(of read: Read, after step: Int = 0) -> Value {
    let arguments = read.arguments.map { list in
      "(\(list.map { ValuePreview.text($0, limit: 60) }.joined(separator: ", ")))"
    }
    return [
      Value(step), .string(read.key + (arguments ?? "")),
      .string(ValuePreview.text(read.outcome.content, limit: 300)), .bool(read.outcome.isError),
    ]
  }

  /// Adds each step to the blocks.
  func write(to blocks: ReportBlocks) async throws {
    var before: Value?
    let first = own.summary.steps.lowerBound
    var beside: [Int: Value] = [:]
    for (place, from) in branch.from.enumerated() {
      beside[branch.leavesAt + 1 + place] = try await differences(place, from)
    }
    try await own.follow([Pointer()], in: own.summary.steps, of: .main) { number, state in
      let step = try own.step(at: Position(step: number)).step
      var entry = ReportBlocks.Entry(
        number: number, label: step.isLost ? nil : step.label, action: step.action, state: state)
      entry.sender = sender(of: step)
      entry.time = step.time
      if number == first {
        (entry.label, entry.sender) = (first == 0 ? "init" : "the state before", ["", ""])
      }
      if let state {
        let changes = before.map { ReportChanges.steps(from: $0, to: state) }
        entry.changes = changes ?? [["~", state.forPage]]
        if let changes, let before {
          let list = ReportChanges.list(from: before, to: state)
          if !ReportChanges.areAlike(changes, list) {
            entry.more["list"] = .array(ValueArray(list))
          }
        }
      }
      describe(step, in: &entry.more)
      if let different = beside[number] { entry.more["beside"] = different }
      try blocks.add(entry)
      before = state
      return true
    }
    try blocks.finish()
  }

  private func describe(_ step: Step, in more: inout ValueObject) {
    if step.isSkipped { more["skipped"] = true }
    if let damage = step.damage { more["damage"] = .string(damage) }
    if let stack = step.stack { more["stack"] = .string(String(stack.prefix(4_000))) }
    if !step.reads.isEmpty { more["reads"] = .list(step.reads.prefix(60)) { text(of: $0) } }
    if let standing = step.standing {
      more["sign"] = .string(standing.glyphs)
      more["worth"] = .string(standing.sentence)
    }
    if let assumptions = raised[step.number] {
      more["assumptions"] = .list(assumptions) { .string("\($0.sentence). \($0.settling)") }
    }
  }

  /// Who sent a step: the kind, the words, the place in the source, and the step to go to.
  private func sender(of step: Step) -> Value {
    guard step.damage == nil, step.cause.isProven(ifKnown: own.summary.knowsCauses) else {
      return ["", .string(OutsideSender.unknown.words)]
    }
    switch step.cause {
    case .user, .unknown: return ["user", .string(OutsideSender.user.words)]
    case .outside(let name): return ["outside", .string(OutsideSender.outside(name).words)]
    case .output(let from):
      return ["reducer", .string("sent by the reducer at \(from)"), "", Value(from)]
    case .effect(let number):
      let effect = spans[number]
      let from = effect.flatMap { $0.origin.isFromOutside ? nil : Value($0.origin.step) }
      return [
        "effect", .string("sent by \(effect?.name ?? "effect \(number.number)")"),
        .string(effect?.placeText ?? ""), from ?? .null, Value(number.number),
      ]
    }
  }

  /// From the state of the parent's step to the fork's.
  private func differences(_ place: Int, _ from: Int?) async throws -> Value? {
    guard let from, var owner = branch.parent else { return nil }
    while let parent = facts.branches[owner].parent, from <= facts.branches[owner].leavesAt {
      owner = parent
    }
    let step = branch.leavesAt + 1 + place
    guard let theirs = try await copies[owner]?.knownState(at: Position(step: from)),
      let ours = try await own.knownState(at: Position(step: step))
    else { return nil }
    return .array(ValueArray(ReportChanges.list(from: theirs, to: ours, limit: 50)))
  }
}

extension EffectSpan {
  fileprivate var placeText: String {
    origin.file.isEmpty || origin.line == 0 ? "" : "\(origin.file):\(origin.line)"
  }
}
