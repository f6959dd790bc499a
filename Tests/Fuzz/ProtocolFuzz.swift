import SessionWords
import ValueTree

@testable import HostProtocol

/// The requests that a debugger may have sent; the first byte of an input chooses one.
private let asks: [HostRequest.Ask] = [
  .run(RunRequest(branch: BranchPath("fork", Script(leavesAt: 2)), from: 3)),
  .verify(VerifyOptions()), .load(path: "a"), .live(LiveRequest(branch: .main, effect: 12)),
  .greet(debugger: "retcon"), .state(branch: .main, step: 3),
  .run(RunRequest(branch: .main, from: nil)),
]

private let facts = SessionFacts(
  steps: 0...9, parentSteps: 0...9, state: { _ in ["total": 1, "note": ""] })

private let limits = HostLimits(message: 1 << 16)

/// Called by libFuzzer with one talk of a host after another, its lines in random pieces. The check
/// refuses the bytes with a place, or the numbers in them can be used.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProtocol(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let first = input.first else { return 0 }
  var listener = Listener(ProtocolCheck(asks[Int(first) % asks.count], facts))
  var numbers = InputNumbers(input)
  var splitter = LineSplitter(limit: limits.message)
  var rest = input.dropFirst()
  while !rest.isEmpty, !listener.isOver {
    let piece = rest.prefix(numbers.next(in: 1...max(1, rest.count)))
    rest = rest.dropFirst(piece.count)
    do {
      try splitter.add(UnsafeRawBufferPointer(rebasing: piece)) { listener.hear($0) }
    } catch {
      require(count > limits.message, "a line of \(count) bytes is too long")
    }
  }
  return 0
}

/// Hears one line after another, as the debugger does, up to the first that cannot be true.
private struct Listener {
  private var check: ProtocolCheck
  private(set) var isOver = false
  private var told: Int?

  init(_ check: ProtocolCheck) { self.check = check }

  mutating func hear(_ line: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    _ = limits.hasTooManyEntries(line)
    do {
      guard let message = try HostMessage(try Value(parsing: line)) else { return }
      switch message.content {
      case .news(let news):
        _ = try check.checkNews(news)
        if case .step(let step) = news { use(step) }
      case .answer(let answer):
        try check.checkAnswer(answer)
        use(answer)
      case .refusal(let refusal): _ = refusal.message.utf8.count
      }
    } catch let error as ParseError {
      isOver = true
      require(!error.description.isEmpty && error.offset <= line.count, "no place")
    } catch let error as ValueFieldError {
      isOver = true
      require(!error.place.isEmpty, "no place in \(error)")
    } catch let error as ProtocolViolation {
      isOver = true
      require(!error.field.isEmpty, "no field in \(error)")
      require(error.sentence.utf8.count < 2_000, "a sentence of \(error.sentence.utf8.count)")
    } catch {
      require(false, "\(error)")
    }
  }

  private mutating func use(_ step: BranchStep) {
    require(
      told.map { step.step.number == $0 + 1 } ?? true, "\(step.step.number) after \(told ?? 0)")
    told = step.step.number
    require(step.descendsFrom.map { (0...9).contains($0) } ?? true, "it descends from nowhere")
    require(
      step.effects.allSatisfy { (0...step.step.number).contains($0.step) && $0.effect >= 0 },
      "an effect nowhere")
  }

  private func use(_ answer: HostAnswer) {
    let reach = 0...9 + HostLimits.ownSteps
    switch answer {
    case .ran(let report):
      require(reach.contains(report.lastStep), "\(report.lastStep) is the last step")
      require(report.leftOut.allSatisfy { (0...9).contains($0.recordedStep) }, "left out: nowhere")
      require(
        report.rejoining.map { (0...9).contains($0.parentStep) } ?? true, "it rejoins nowhere")
    case .verified(let report):
      require(reach.contains(report.steps), "\(report.steps) steps")
      require(report.divergences.allSatisfy { reach.contains($0.step) }, "it diverges nowhere")
      require(!report.text(title: "fuzz").isEmpty, "a report without words")
    case .loaded(let report):
      require(
        reach.contains(report.steps) && (0...report.steps).contains(report.unchecked), "\(report)")
    case .live(let run):
      require(run.effect == 12 && run.duration >= .zero, "\(run)")
      _ = run.edits(after: 3)
    default: break
    }
  }
}
