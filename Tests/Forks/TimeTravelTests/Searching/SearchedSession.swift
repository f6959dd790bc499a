import RecordingSupport
import SessionFile
import SessionWords
import TestSupport
import TimeTravel
import ValueTree

/// A session that a generator made up, with texts and states that are hard to search.
struct SearchedSession {
  private static let texts = [
    "tea", "Tea", "milk", "\u{212A}iwi", "kiwi", "cafe\u{301}", "café", "a/b", "say \"tea\"",
    "t\\n",
    "line\nbreak", "日本", "true", "1e3", "semi;colon", "semi\u{37E}colon", "", "replace",
  ]

  let firstStep: Int
  let lastStep: Int

  /// Writes it; the file may be in parts, with states left out.
  init(_ random: inout SeededGenerator, to path: String) throws {
    firstStep = Bool.random(using: &random) ? 0 : 30
    lastStep = firstStep + Int.random(in: 3...120, using: &random)
    var state = Self.state(&random)
    var header = SessionHeader(
      state: Int.random(in: 0..<8, using: &random) == 0 ? nil : state, firstStep: firstStep)
    header.session = "s"
    var options = WritingOptions()
    options.keyframes = .every(Int.random(in: 2...30, using: &random))
    if Int.random(in: 0..<4, using: &random) == 0 { options.partSize = 3_000 }
    let writer = try SessionWriter(path: path, header: header, options: options)
    let keepsAll = Bool.random(using: &random)
    for number in firstStep + 1...lastStep {
      Self.change(&state, &random)
      let isLeftOut = !keepsAll && Int.random(in: 0..<5, using: &random) == 0
      try writer.append(
        Self.step(number, &random), state: isLeftOut ? nil : state, isStateDropped: isLeftOut)
      if Int.random(in: 0..<4, using: &random) == 0 {
        try writer.append(Signpost("tea between", step: number))
      }
    }
    try writer.finish()
  }

  private static func text(_ random: inout SeededGenerator) -> Value {
    .string(texts.randomElement(using: &random) ?? "")
  }

  private static func number(_ random: inout SeededGenerator) -> Value {
    .number(Number(Int.random(in: -2...2, using: &random)))
  }

  private static func step(_ number: Int, _ random: inout SeededGenerator) -> Step {
    let labels = ["added", "cart.removed", "tick", "Kiwi"]
    var step = Step(
      number: number, time: .milliseconds(number * 37),
      label: labels.randomElement(using: &random) ?? "",
      action: ["added": ["title": text(&random), "count": Self.number(&random), "on": true]])
    if Int.random(in: 0..<4, using: &random) == 0 { step.cause = .effect(3) }
    if Int.random(in: 0..<6, using: &random) == 0 { step.cause = .output(of: number - 1) }
    if Int.random(in: 0..<4, using: &random) == 0 {
      step.reads = [Read(key: "dice", value: Self.number(&random))]
    }
    if Int.random(in: 0..<9, using: &random) == 0 { step.error = "no tea" }
    return step
  }

  private static func state(_ random: inout SeededGenerator) -> Value {
    let row: (inout SeededGenerator) -> Value = { ["id": number(&$0), "title": text(&$0)] }
    return [
      "total": number(&random), "user": ["name": text(&random), "age": number(&random)],
      "rows": .array(ValueArray((0..<3).map { _ in row(&random) })), "page": .null,
    ]
  }

  private static func change(_ state: inout Value, _ random: inout SeededGenerator) {
    let pointers: [(Pointer, Value)] = [
      (["total"], number(&random)), (["user", "name"], text(&random)),
      (["user"], .null), (["user"], ["name": text(&random), "age": number(&random)]),
      (["rows"], [["id": number(&random), "title": text(&random)]]),
      (["page"], ["total": number(&random)]), (["page"], state["rows"] ?? .null),
      (["extra"], state["user"] ?? .null),
    ]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let (pointer, value) = pointers.randomElement(using: &random),
        let next = try? Patch([.add(pointer, value)]).applied(to: state)
      else { continue }
      state = next
    }
  }

  static let conditions = [
    "state.total < 0", "state.total == previous.total", "state.user.name == 'tea'",
    "previous.user.age > 0 && state.user == null", "label == 'tick'",
    "label == 'added' && state.total > 0", "action.added.title == 'café' || step == 40",
    "cause == 'user'", "cause.effect == 3", "cause.output", "reads[0].value > 0",
    "state.rows[?@.title == 'tea']", "state.rows[0].id == 1", "state.page.total",
    "time > 2.5 && time < 3", "branch == 'main'", "standing.outcome == 'equal' && state.page",
    "followedBy(label == 'tick', 2)", "precededBy(state.total < 0) && label == 'Kiwi'",
    "state", "$.state.user.name", "!state.user", "state.extra.age == state.user.age",
    "search(action.added.title, 'i')", "step > 20 && state.total == 0", "state..id",
  ]

  static let searchedTexts =
    texts + [
      "t", "k", "K", "e", "cart.", "added", "no tea", "init", "?", "2", "-", "1000", "é", "TEA",
      "title", "\\", "on", "Cart", "本", ";", "semi;c", "replace", "path",
    ]
}

/// A recording that has to be asked for each step.
struct PlainRecording: Recording {
  let inner: SessionRecording

  var summary: RecordingSummary { inner.summary }
  func step(_ number: Int) throws -> Step { try inner.step(number) }
  func state(after number: Int) throws -> Value? { try inner.state(after: number) }
  func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan] { try inner.effects(in: steps) }
  func events(after step: Int) throws -> [EffectEvent] { try inner.events(after: step) }
  func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan] {
    try inner.longestEffects(count, in: steps)
  }
  func reads(ofEffect effect: EffectID) throws -> [OutsideRead] {
    try inner.reads(ofEffect: effect)
  }
}
