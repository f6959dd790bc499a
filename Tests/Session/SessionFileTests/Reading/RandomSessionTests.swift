import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// Random sessions, and random damage to them. `RETCON_SEED` repeats a run, `RETCON_LONG` makes a
/// hundred times as many.
@Suite("Random sessions") struct RandomSessionTests {
  private static let isLong = getenv("RETCON_LONG") != nil

  private static func seed() -> UInt64 {
    getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_120
  }

  @Test("What was written is what is read")
  func roundTrip() throws {
    let rounds = Self.isLong ? 4_000 : 40
    var random = SeededGenerator(seed: Self.seed())
    print("random sessions: \(rounds), RETCON_SEED=\(Self.seed())")
    for round in 0..<rounds {
      let folder = try TemporaryFolder()
      let session = RandomSession(&random)
      try session.write(to: folder("random.retcon"))
      let reader = try SessionReader(path: folder("random.retcon"))
      #expect(reader.header == session.header, "round \(round)")
      #expect(reader.notices == [], "round \(round)")
      #expect(reader.steps == session.header.firstStep...session.lastStep)
      #expect(try session.steps.map { try reader.step($0.number) } == session.steps)
      #expect(
        try session.steps.allSatisfy {
          try reader.state(after: $0.number) == session.states[$0.number]
        }, "round \(round)")
      #expect(try reader.effectEvents(in: reader.steps) == session.events)
      #expect(try reader.outsideReads(in: reader.steps) == session.reads)
      #expect(try reader.signposts(in: reader.steps) == session.signposts)
      #expect(reader.tape == session.header.tape + session.tapes)
      #expect(reader.isFinished)
      try expectSameText(reader)
      try reader.examine()
      #expect(reader.notices == [], "round \(round)")
    }
  }

  /// The text of steps, copied from lines or printed again, says what the reader says.
  private func expectSameText(_ reader: SessionReader) throws {
    let last = min(reader.steps.upperBound, reader.steps.lowerBound + 200)
    let numbers = reader.steps.lowerBound...last
    for (number, written) in zip(numbers, try reader.writtenSteps(numbers)) {
      let step = try reader.step(number)
      #expect(try Value(parsing: written.action) == step.action)
      #expect(written.cause == step.cause)
      let patch = try written.patch.map { try Value(parsing: $0) }
      let told = try reader.patch(at: number)
      #expect(patch == told || patch == nil && !reader.notices.isEmpty, "step \(number)")
    }
  }

  @Test("A trim of a random range holds what the whole held there")
  func trims() throws {
    let rounds = Self.isLong ? 2_000 : 20
    var random = SeededGenerator(seed: Self.seed() &+ 1)
    for round in 0..<rounds {
      let folder = try TemporaryFolder()
      let session = RandomSession(&random)
      try session.write(to: folder("random.retcon"))
      let whole = try SessionReader(path: folder("random.retcon"))
      let first = Int.random(in: whole.steps, using: &random)
      let range = first...Int.random(in: first...whole.steps.upperBound, using: &random)
      let written = try SessionTrimmer(whole).trim(range, to: folder("trim.retcon"))
      let trim = try SessionReader(path: folder("trim.retcon"))
      let start = max(whole.steps.lowerBound, first - 1)
      #expect(trim.steps == start...range.upperBound, "round \(round)")
      #expect(written.steps == trim.steps)
      #expect(trim.notices == [])
      // Each step of the range has its line, and no other has.
      #expect(
        folder.text("trim.retcon").split(separator: "\n").compactMap { line in
          line.wholeMatch(of: /\{"step":(\d+),.*/).flatMap { Int($0.1) }
        } == Array((start + 1)..<(range.upperBound + 1)), "round \(round)")
      for number in trim.steps {
        #expect(try trim.state(after: number) == whole.state(after: number), "round \(round)")
        if number > start { #expect(try trim.step(number) == whole.step(number)) }
      }
      // Only a turn that is over has an end.
      let isLast = range.upperBound == whole.steps.upperBound
      var isOver = true
      if !isLast, case .output = try whole.step(range.upperBound + 1).cause { isOver = false }
      #expect(trim.isFinished == isOver && written.endsInsideTurn == !isOver, "round \(round)")
      #expect(try trim.effectEvents(in: trim.steps) == whole.effectEvents(in: trim.steps))
      #expect(
        try trim.effectsInFlight(after: range.upperBound)
          == whole.effectsInFlight(after: range.upperBound), "round \(round)")
    }
  }

  @Test("Damaged at random places a session opens or says why not, and never ends the process")
  func damage() throws {
    let rounds = Self.isLong ? 60_000 : 300
    var random = SeededGenerator(seed: Self.seed() &+ 2)
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = []
    for round in 0..<rounds {
      if round.isMultiple(of: 50) {
        let session = RandomSession(&random, keepsParts: false)
        try session.write(to: folder("random.retcon"))
        bytes = folder.bytes("random.retcon")
        unlink(folder("random.retcon"))
      }
      let path = try folder.write(damaged(bytes, &random), to: "damaged.retcon")
      guard let reader = try? SessionReader(path: path) else { continue }
      for number in reader.steps.prefix(200) {
        _ = try? reader.step(number)
        _ = try? reader.state(after: number)
        _ = try? reader.patch(at: number)
      }
      if reader.stepCount > 0 { try? expectSameText(reader) }
      _ = try? reader.effectsInFlight(after: reader.steps.upperBound)
      _ = try? reader.outsideReads(in: reader.steps)
      _ = try? reader.signposts(in: reader.steps)
      try? reader.examine()
      _ = try? reader.refresh()
      _ = try? SessionTrimmer(reader).trim(reader.steps, to: folder("trim"), replacing: true)
      #expect(reader.notices.allSatisfy { !$0.sentence.isEmpty })
    }
  }

  private func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.replaceSubrange(place..<end, with: repeatElement(0, count: end - place))
      case 4: bytes.insert(0x0A, at: place)
      case 5: bytes.removeSubrange(place...)
      default: bytes[place] = UInt8(ascii: "9")
      }
    }
    return bytes
  }
}

/// A session that a generator made up.
struct RandomSession {
  var header: SessionHeader
  var options = WritingOptions()
  var steps: [Step] = []
  var states: [Int: Value] = [:]
  var events: [EffectEvent] = []
  var reads: [OutsideRead] = []
  var signposts: [Signpost] = []
  var tapes: [String] = []
  private var lines: [Line] = []

  private enum Line {
    case step(Step, Value)
    case event(EffectEvent)
    case read(OutsideRead)
    case signpost(Signpost)
    /// Tapes, and what a recorder writes ahead.
    case other(LogLine)
  }

  var lastStep: Int { header.firstStep + steps.count }

  init(_ random: inout SeededGenerator, keepsParts: Bool = true) {
    var state = Self.value(&random, depth: 3)
    header = SessionHeader(
      app: .init("App"), state: state, firstStep: Bool.random(using: &random) ? 0 : 12)
    header.session = "\(random.next())"
    header.seed = random.next()
    Self.fill(&header, &random)
    if Bool.random(using: &random) { options.keyframes = .every(3) }
    if keepsParts, Bool.random(using: &random) { options.partSize = 2_000 }
    var running: [EffectID] = []
    for offset in 1...Int.random(in: 1...40, using: &random) {
      let number = header.firstStep + offset
      if Bool.random(using: &random) { state = Self.changed(state, &random) }
      let step = Self.step(number, running, &random)
      if Int.random(in: 0..<4, using: &random) == 0 { writeAhead(step) }
      steps.append(step)
      states[number] = state
      lines.append(.step(step, state))
      addLines(after: number, &running, &random)
    }
  }

  func write(to path: String) throws {
    let writer = try SessionWriter(path: path, header: header, options: options)
    for line in lines {
      switch line {
      case .step(let step, let state): try writer.append(step, state: state)
      case .event(let event): try writer.append(event)
      case .read(let read): try writer.append(read)
      case .signpost(let signpost): try writer.append(signpost)
      case .other(let line): try writer.append(line)
      }
    }
    try writer.finish()
  }

  /// Every key that a header can have, each in one session of two.
  private static func fill(_ header: inout SessionHeader, _ random: inout SeededGenerator) {
    func often() -> Bool { Bool.random(using: &random) }
    header.tape = ["a", "b"]
    if often() { header.app = .init(text(&random), version: text(&random)) }
    if often() { header.capability = .browse(because: text(&random)) }
    if often() { header.started = "2026-11-20T10:56:00.123Z" }
    if often() { header.redacted = ["/user/name", text(&random)] }
    if often() { header.snapshots = often() ? .copied : .encoded }
    if often() { header.origin = .init(format: "trim", file: text(&random), position: 7) }
    if often() { header.firstTime = .milliseconds(1_500) }
    if often() { header.unknown = ["later": value(&random, depth: 2), "è": .null] }
    guard header.firstStep > 0 else { return }
    let origin = EffectOrigin(
      step: 3, name: text(&random), file: text(&random), line: 7, cancelID: "id", ordinal: 2)
    header.effects = [EffectInFlight(effect: 10_000, origin: origin, time: .seconds(1))]
  }

  private mutating func writeAhead(_ step: Step) {
    var begun = Step(number: step.number, time: step.time, label: step.label, action: step.action)
    begun.cause = step.cause
    lines.append(.other(.begin(begun)))
    for read in step.reads { lines.append(.other(.readBegun(read, step: step.number))) }
  }

  private mutating func addLines(
    after step: Int, _ running: inout [EffectID], _ random: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 4 where !tapes.contains("tape \(step)"):
        tapes.append("tape \(step)")
        lines.append(.other(.tape(key: "tape \(step)")))
      case 5:
        let outcome = Read.Outcome.failure(Self.value(&random, depth: 2))
        let read = OutsideRead(
          Read(key: Self.text(&random), outcome: outcome), effect: nil, step: step,
          time: .nanoseconds(1))
        reads.append(read)
        lines.append(.read(read))
      case 0:
        let origin = EffectOrigin(
          step: step, name: Bool.random(using: &random) ? Self.text(&random) : nil,
          file: "A/B.swift", line: 7, cancelID: Bool.random(using: &random) ? "id" : nil,
          ordinal: 1)
        add(EffectEvent(effect: EffectID(events.count + 1), step: step, kind: .started(origin)))
        running.append(EffectID(events.count))
      case 1 where !running.isEmpty:
        let kinds: [EffectEvent.Kind] = [.finished, .failed(Self.text(&random)), .cancelled]
        let kind = kinds[Int.random(in: 0..<3, using: &random)]
        let isOutside = kind == .cancelled && Bool.random(using: &random)
        add(
          EffectEvent(
            effect: running.removeFirst(), step: step, time: .seconds(1), kind: kind,
            isFromOutside: isOutside, isAlone: isOutside && Bool.random(using: &random)))
      case 2:
        let read = OutsideRead(
          Read(key: "a", value: Self.value(&random, depth: 2)), effect: running.first, step: step)
        reads.append(read)
        lines.append(.read(read))
      default:
        let signpost = Signpost(
          Self.text(&random), step: step, value: Self.value(&random, depth: 1))
        signposts.append(signpost)
        lines.append(.signpost(signpost))
      }
    }
  }

  private mutating func add(_ event: EffectEvent) {
    events.append(event)
    lines.append(.event(event))
  }

  private static func step(
    _ number: Int, _ running: [EffectID], _ random: inout SeededGenerator
  ) -> Step {
    var step = Step(
      number: number, time: .nanoseconds(Int64.random(in: 0...1 << 50, using: &random)),
      label: text(&random), action: value(&random, depth: 3))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: step.cause = running.first.map { .effect($0) } ?? .user
    case 1: step.cause = .output(of: number - 1)
    case 2: step.reads = [Read(key: "b", outcome: .failure(value(&random, depth: 1)))]
    case 3: step.isSkipped = true
    case 4: step.error = text(&random)
    default:
      let assumptions = [
        Assumption(.open, .effect(EffectID(number)), from: number + 1, text(&random)),
        Assumption(.substituted, .read(key: text(&random), index: 1), from: number, "no"),
        Assumption(.edited, .state(pointer: ["a"]), from: number, "set"),
      ]
      step.standing = Standing(.assumed, .timedOut, Array(assumptions.prefix(number % 4)))
    }
    return step
  }

  private static func changed(_ value: Value, _ random: inout SeededGenerator) -> Value {
    switch value {
    case .array(let array) where !array.isEmpty:
      var elements = Array(array)
      let index = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(Self.value(&random, depth: 1), at: index)
      default: elements[index] = changed(elements[index], &random)
      }
      return .array(ValueArray(elements))
    case .object(var object) where !object.isEmpty:
      let key = object.keys[Int.random(in: 0..<object.count, using: &random)]
      object[key] =
        Bool.random(using: &random) ? nil : changed(object[key] ?? .null, &random)
      return .object(object)
    default: return Self.value(&random, depth: 2)
    }
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(Number(Int.random(in: -9...9, using: &random)))
    case 3: return .number(.unsigned(random.next() | 1 << 63))
    case 4: return .number(.digits("1.50e-7"))
    case 5: return .number(Number(Double.random(in: -1...1, using: &random)))
    case 6: return .string(text(&random))
    case 7:
      let count = Int.random(in: 0...4, using: &random)
      return .array(ValueArray((0..<count).map { _ in value(&random, depth: depth - 1) }))
    default:
      let count = Int.random(in: 0...4, using: &random)
      return .object(
        ValueObject(
          (0..<count).map { _ in (key: text(&random), value: value(&random, depth: depth - 1)) }))
    }
  }

  private static let texts = [
    "", "a", "b/c", "~", "é", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "\"\\\n\u{0}\u{7F}",
    "state",
    "\u{202E}", "x y",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    texts[Int.random(in: texts.indices, using: &random)]
  }
}
