import Platform
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import HostProtocol

/// Messages that are changed at random, read and measured: what gets past the check can be put into
/// tables.
@Suite struct TalkRandomTests {
  private static let isLong = getenv("RETCON_LONG") != nil

  private static let run = HostRequest.Ask.run(
    RunRequest(branch: BranchPath("fork", Script(leavesAt: 2)), from: 3))

  private static let seeds: [(HostRequest.Ask, [String])] = [
    (
      run,
      [
        #"{"id":3,"news":"progress","done":3,"of":9}"#,
        #"{"id":3,"news":"step","step":{"step":3,"time":5,"label":"add","action":{"add":2},"cause":{"effect":4},"reads":[{"key":"uuid","value":"A"}],"descendsFrom":3,"standing":["assumed","different"],"effects":[{"effect":9,"event":"started","after":3,"from":3,"name":"f","file":"F","line":12,"ordinal":1},{"effect":4,"event":"failed","after":3,"message":"x"}],"patch":[{"op":"replace","path":"/total","value":3}],"remarks":["r"]}}"#,
        #"{"id":3,"news":"step","step":{"step":4,"label":"add","action":1,"cause":{"output":3},"standing":["edited","new"],"patch":[{"op":"remove","path":"/total"}]}}"#,
        #"{"id":3,"answer":"ran","report":{"lastStep":4,"pending":[{"effect":9,"origin":{"from":3,"file":"F"},"unanswered":true,"recorded":[{"effect":4,"step":6,"label":"f","outcome":{"end":"finish"}}]}],"leftOut":[{"step":7,"label":"t","effect":2,"reason":"it was skipped"}],"rejoining":{"step":4,"parentStep":5},"ending":"complete"}}"#,
      ]
    ),
    (
      .verify(VerifyOptions()),
      [
        #"{"id":3,"news":"dying","step":3,"words":"signal"}"#,
        #"{"id":3,"answer":"verified","report":{"steps":9,"divergences":[{"step":3,"label":"a","kind":"different state","path":"/t","recorded":1,"rerun":null}],"undecodable":[{"step":4,"label":"o","reason":"g"}],"unattributedReads":["d"],"partial":true}}"#,
      ]
    ),
    (
      .load(path: "a"),
      [
        #"{"id":3,"answer":"loaded","steps":9,"grade":"risky","findings":[{"step":4,"type":"T","path":"/a","problem":"p"}],"unchecked":3}"#
      ]
    ),
    (
      .live(LiveRequest(branch: .main, effect: 12)),
      [
        #"{"id":4,"answer":"live","run":{"effect":12,"emissions":[{"delay":3,"action":1,"readCount":1}],"end":"finished","duration":4,"reads":[{"key":"api","value":3}]}}"#
      ]
    ),
  ]

  private static let wild: [Value] = [
    0, 1, 2, 3, 4, 5, 8, 9, 10, -1, -7, 1_000_009, 99_999_999_999_999_999, .null, "", "user", [],
    [:], .bool(true), .number(.double(1.0)), .number(.double(1e300)), .number(.double(2.5)),
    .number(.unsigned(.max)), .number(.integer(.min)), .number(.integer(.max)),
  ]

  @Test("whatever a message says: it is refused with a place, or its numbers can be used")
  func messages() throws {
    let count = Self.isLong ? 1_000_000 : 20_000
    var generator = SeededGenerator(
      seed: getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_122)
    let facts = SessionFacts(
      steps: 0...9, parentSteps: 0...9, state: { _ in ["total": 1, "note": ""] })
    let seeds = try Self.seeds.map { ask, lines in (ask, try lines.map { try Value(parsing: $0) }) }
    var accepted = 0
    for _ in 0..<count {
      let (ask, lines) = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      var check = ProtocolCheck(ask, facts)
      var told = 2
      for line in lines {
        var line = line
        if Int.random(in: 0..<3, using: &generator) == 0 {
          line = changed(line, &generator)
        }
        do {
          guard let message = try HostMessage(line) else { continue }
          switch message.content {
          case .news(let news):
            _ = try check.checkNews(news)
            if case .step(let step) = news {
              told += 1
              expectUsable(step, told)
            }
          case .answer(let answer):
            try check.checkAnswer(answer)
            expectUsable(answer, told)
            accepted += 1
          case .refusal: break
          }
        } catch let error as ValueFieldError {
          #expect(!error.place.isEmpty)
          break
        } catch let error as ProtocolViolation {
          #expect(!error.field.isEmpty && error.sentence.utf8.count < 1000)
          break
        }
      }
    }
    #expect(accepted > count / 20)
  }

  private func expectUsable(_ step: BranchStep, _ told: Int) {
    #expect(step.step.number == told)
    #expect(step.descendsFrom.map { (0...9).contains($0) } ?? true)
    #expect(step.effects.allSatisfy { (0...told).contains($0.step) && $0.effect >= 0 })
  }

  private func expectUsable(_ answer: HostAnswer, _ told: Int) {
    let reach = 0...9 + HostLimits.ownSteps
    switch answer {
    case .ran(let report):
      #expect(report.lastStep <= told && report.lastStep >= 0)
      #expect(report.rejoining.map { $0.step == told && (0...9).contains($0.parentStep) } ?? true)
      #expect(report.pending.allSatisfy { (0...report.lastStep).contains($0.origin.step) })
      #expect(report.leftOut.allSatisfy { (0...9).contains($0.recordedStep) })
    case .verified(let report):
      #expect(reach.contains(report.steps))
      #expect(report.divergences.allSatisfy { reach.contains($0.step) })
    case .loaded(let report):
      #expect(reach.contains(report.steps) && (0...report.steps).contains(report.unchecked))
    case .live(let run): #expect(run.effect == 12 && run.duration >= .zero)
    default: break
    }
  }

  /// The value with something else at one place.
  private func changed(_ value: Value, _ generator: inout SeededGenerator) -> Value {
    switch value {
    case .object(var object) where object.count > 0:
      let member = object[Int.random(in: 0..<object.count, using: &generator)]
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: object[member.key] = nil
      case 1: object[member.key] = Self.wild.randomElement(using: &generator)
      default: object[member.key] = changed(member.value, &generator)
      }
      return .object(object)
    case .array(let array) where array.count > 0:
      var elements = Array(array)
      let index = Int.random(in: 0..<elements.count, using: &generator)
      elements[index] = changed(elements[index], &generator)
      if Int.random(in: 0..<8, using: &generator) == 0 { elements += elements }
      return .array(ValueArray(elements))
    default: return Self.wild.randomElement(using: &generator) ?? .null
    }
  }

  @Test("in a fork of a trimmed session an effect from before the cut may be pending, and go on")
  func beforeTheCut() throws {
    let script = Script(leavesAt: 24, edits: [.insert(after: 24, action: "a")])
    let run = RunRequest(branch: BranchPath("try", script))
    var check = ProtocolCheck(.run(run), SessionFacts(steps: 24...28))
    let origin = EffectOrigin(step: 16, file: "A.swift", line: 1)
    var step = BranchStep(
      step: Step(number: 25, label: "a", action: "a", cause: .output(of: 16)),
      standing: Standing(.edited, .new), patch: [])
    step.effects = [EffectEvent(effect: 3, step: 25, kind: .started(origin))]
    #expect(try check.checkNews(.step(step)))
    var report = BranchReport(lastStep: 25)
    report.pending = [PendingEffect(effect: 3, origin: origin, isUnanswered: false)]
    try check.checkAnswer(.ran(report))
    report.pending[0].origin.step = 26
    #expect(throws: ProtocolViolation.self) { try check.checkAnswer(.ran(report)) }
  }

  @Test("random bytes in place of a message are read or refused, never more")
  func bytes() throws {
    var generator = SeededGenerator(seed: 7)
    let limits = HostLimits(message: 4096)
    let text = Array(Self.seeds[0].1[1].utf8)
    for _ in 0..<(Self.isLong ? 1_000_000 : 5_000) {
      var line = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        line[Int.random(in: 0..<line.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      let isTooMuch = line.withUnsafeBytes { limits.hasTooManyEntries($0) }
      guard !isTooMuch, let value = try? Value(parsing: line),
        case .news(let news)?? = try? HostMessage(value)?.content
      else { continue }
      var check = ProtocolCheck(Self.run, SessionFacts(steps: 0...9))
      _ = try? check.checkNews(news)
    }
  }

  @Test("a run that a host starts again advances anew, a few times")
  func restarts() throws {
    var check = ProtocolCheck(Self.run, SessionFacts(steps: 0...9))
    #expect(try check.recordWhereabouts(7))
    for _ in 0..<4 {
      #expect(try check.recordWhereabouts(2))
      #expect(try !check.recordWhereabouts(2))
      #expect(try check.recordWhereabouts(8))
    }
    #expect(try !check.recordWhereabouts(2))
    #expect(try check.recordWhereabouts(9))
  }

  @Test(
    "all steps of a run that have to be kept have one budget; those of the parent cost little",
    arguments: [
      ([], .user, Standing(.assumed, .equal)),
      ([], .output(of: 2), Standing(.recorded, .different)),
      ([.replace(step: 3, action: 1)], .user, Standing(.recorded, .equal)),
    ] as [([Edit], Cause, Standing)])
  func budget(_ edits: [Edit], _ cause: Cause, _ standing: Standing) throws {
    func step(_ number: Int, _ cause: Cause, _ standing: Standing) -> HostEvent {
      .step(
        BranchStep(
          step: Step(number: number, label: "a", action: 1, cause: cause), descendsFrom: 3,
          standing: standing))
    }
    let plain = (Cause.user, Standing(.recorded, .equal))
    let run = HostRequest.Ask.run(
      RunRequest(branch: BranchPath("b", Script(leavesAt: 2, edits: edits))))
    let limits = HostLimits(message: 1 << 20)
    let facts = SessionFacts(steps: 0...9_999)
    var check = ProtocolCheck(Self.run, facts, limits)
    for number in 3..<9_999 {
      _ = try check.checkNews(step(number, plain.0, plain.1), bytes: 1 << 19)
    }
    check = ProtocolCheck(run, facts, limits)
    for number in 3..<11 { _ = try check.checkNews(step(number, cause, standing), bytes: 1 << 19) }
    let violation = #expect(throws: ProtocolViolation.self) {
      try check.checkNews(step(11, cause, standing), bytes: 1 << 19)
    }
    #expect(
      violation?.sentence.contains(
        "“step.number” is 11, and the messages of the branch up to there exceed 4 MB")
        == true)
  }
}
