import HostProtocol
import Platform
import Replay
import StoreCore
import ValueTree

/// A thin host, asked for many steps at a time.
///
/// `@unchecked Sendable`: one thread asks at a time; what states hold tells its end under a lock.
final class ThinHost: @unchecked Sendable {
  /// How many actions it wants to know beyond the next one; 0 while it has some.
  private(set) var wanted = 0
  /// The actions that most likely follow the next one.
  var upcoming: [ThinInput] = []
  private(set) var loaded: (notes: [String], files: [String], actions: [Value]?) = ([], [], [])
  private let first: HostPipes
  /// By ``Value/weight``: the memory of a state is up to four times that.
  private let largestState: Int
  private let life: Locked<(process: HostPipes?, isOver: Bool)>
  private var processes = 0
  private var numbers = 0
  /// The greeting was the first one.
  private var requests = 1
  private let forgotten = Locked<[(process: Int, number: Int)]>([])
  private var ahead: ArraySlice<Step> = []
  /// A batch that the host runs while the steps before it are looked at.
  private var sent: (from: ThinState, inputs: [ThinInput])?
  /// The result of the last step's second run.
  private var second: (state: ThinState, effects: Value?)?
  private var last: ThinState?
  /// How many steps take about 20 ms.
  private var size = 1
  /// A batch has ended the process, so that steps are run one by one, to know which one does.
  private var isCareful = false
  private var givesCopies = false
  private var runsTwice = false
  private let report: HostPipes.Report
  /// It was given the first state, so a session may not bring one.
  let hasStart: Bool
  let can: ThinAbilities
  /// The words of bodies that ended the process, by what they work with.
  var faults: [Value: String] = [:]
  /// Whether the reducer's own first state leads to the states of this session.
  var tried: (session: String, isStart: Bool)?

  struct Step {
    fileprivate var from: StateNumber
    fileprivate var input: ThinInput
    var outcome: Result<ThinState, HostPipes.End>
    /// The host's words about each step beside its state.
    var effects: Value?
    var asked: Value?
    /// The question that it cannot go on without.
    var open: Value?
    fileprivate var changedPlace: String?
    fileprivate var doubt: String?
    fileprivate var second: (state: ThinState, effects: Value?)?
  }

  struct Answer {
    var states: [ThinState] = []
    var error: String?
    var told: Value
  }

  static var longest: Int { 64 }
  private static let largestAnswer = HostLimits(message: 512 << 20)

  /// With its first process, which has greeted.
  init(
    _ process: HostPipes, hasStart: Bool = false, can: ThinAbilities = ThinAbilities(),
    largestState: Int = 128 << 20, report: @escaping HostPipes.Report = { _, _ in }
  ) {
    (first, life) = (process, Locked((process, false)))
    (self.hasStart, self.can, self.report) = (hasStart, can, report)
    self.largestState = largestState
  }

  var limits: HostLimits { first.limits }
  /// How long a batch of several steps may take.
  var batchTime: Duration { min(.seconds(1), limits.patience / 4) }

  func end() {
    life.withLock { life in
      life.isOver = true
      life.process?.end()
    }
  }

  // MARK: Steps

  func reduce(
    _ state: inout ThinState, _ action: Value, _ step: MachineStep, _ number: Int
  ) throws -> (StepOutcome, Effect<RemoteAction>) {
    if step.isSecondRun {
      state = second?.state ?? state
      return (StepOutcome(), (try? effect(of: second?.effects)) ?? .none)
    }
    if state.isBroken, step.isInterrupted { return (StepOutcome(.interrupted), .none) }
    runsTwice = step.runsTwice
    var outcome = StepOutcome()
    var effect = Effect<RemoteAction>.none
    do {
      let step = try answered(ThinInput(action, step.reads, at: step.time), from: state)
      (second, outcome.changedPlace, outcome.doubt) = (step.second, step.changedPlace, step.doubt)
      let after = try step.outcome.get()
      effect = try self.effect(of: step.effects)
      state = after
      last = state
    } catch let restart as RunRestart {
      throw restart
    } catch {
      state.isBroken = true
      let end = error as? HostPipes.End
      if process == nil {
        // Where the recording goes on, it does so from the state as JSON.
        state.number = nil
        if let end { report(end, number) }
      }
      outcome.fault =
        end?.isLate == true
        ? .timedOut : .threw(((error as? HostRefusal)?.message ?? "\(error)").clipped)
    }
    return (outcome, effect)
  }

  func next(_ input: ThinInput, from state: ThinState) throws -> Step {
    // The process that knew more of it than JSON has ended.
    if state.number.map(isKnown) == false { throw RunRestart() }
    if let first = ahead.first, first.from === state.number,
      first.input.isSame(as: input), runsTwice == (first.second != nil)
    {
      ahead.removeFirst()
      wanted = ahead.isEmpty ? lookahead : 0
      return first
    }
    ahead = []
    let inputs = [input] + exchange(&upcoming, with: [])
    ahead = try batch(from: state, isCareful ? [input] : inputs)[...]
    let first = ahead.removeFirst()
    wanted = ahead.isEmpty && !isCareful ? lookahead : 0
    return first
  }

  private var sendsAhead: Bool { size == Self.longest && !isCareful && !runsTwice }
  private var lookahead: Int { can.whole ? 0 : sendsAhead ? 2 * size - 1 : size - 1 }

  /// At least one step.
  private func batch(from state: ThinState, _ known: [ThinInput]) throws -> [Step] {
    let isSent = sent.map { sent in
      sent.from.number === state.number && sent.inputs.count <= known.count
        && zip(sent.inputs, known).allSatisfy { $0.isSame(as: $1) }
    }
    if isSent == false { try dropSent() }
    let inputs = sent?.inputs ?? Array(known.prefix(size))
    let limit = inputs.count > 1 ? batchTime : nil
    let start = ContinuousClock.now
    do {
      let base = try number(of: state)
      if sent.take() == nil { try send(inputs, from: base) }
      let answer = try heard(inputs.count, from: base, state.json, within: limit)
      var seconds: Answer?
      if runsTwice {
        let same = Array(inputs.prefix(answer.states.count))
        seconds = try reduce(same, from: base, state.json, day: 1, within: limit)
      }
      let time = ContinuousClock.now - start
      // A busy machine makes one slow, and single steps slower.
      let fit = time < .milliseconds(10) ? 2 * size : time > .milliseconds(40) ? size / 2 : size
      size = max(1, min(Self.longest, fit))
      let next = Array(known.dropFirst(inputs.count).prefix(size))
      if sendsAhead, !next.isEmpty, answer.states.count == inputs.count,
        let from = answer.states.last
      {
        try send(next, from: from.number)
        sent = (from, next)
      }
      return try steps(inputs, from: base, answer, seconds)
    } catch is HostPipes.End where inputs.count > 1 {
      isCareful = true
      throw RunRestart()
    }
  }

  private func steps(
    _ inputs: [ThinInput], from base: StateNumber, _ answer: Answer, _ seconds: Answer?
  ) throws -> [Step] {
    var steps: [Step] = []
    var from = base
    func add(_ outcome: Result<ThinState, HostPipes.End>) -> Step {
      let index = steps.count
      var step = Step(from: from, input: inputs[index], outcome: outcome)
      (step.effects, step.asked) = (answer.told["effects"]?[index], answer.told["asked"]?[index])
      return step
    }
    for (index, state) in answer.states.enumerated() {
      var step = add(.success(state))
      step.changedPlace = answer.told["changed"]?[index]?.string?.clipped
      if can.whole, case .string(let words)? = answer.told["doubts"]?[index] {
        step.doubt = words.clipped
      }
      if let seconds {
        let again =
          index < seconds.states.count
          ? seconds.states[index].json : .string(seconds.error ?? "nothing")
        // Only a run from the same state counts as a second run of the step.
        let isSame = again.isExactlyEqual(to: state.json)
        step.second = (isSame ? state : ThinState(again), seconds.told["effects"]?[index])
        if !isSame { return steps + [step] }
      }
      steps.append(step)
      if let number = state.number { from = number }
    }
    let open = can.reads ? answer.told["asks"] : nil
    if steps.count < inputs.count, let error = answer.error ?? open.map({ _ in "it waits" }) {
      var step = add(.failure(HostPipes.End(error)))
      step.open = answer.error == nil ? open : nil
      steps.append(step)
    }
    guard !steps.isEmpty else { throw HostPipes.End("the host has run no step") }
    return steps
  }

  /// The states after some steps, from a state or from nothing.
  func reduce(
    _ inputs: [ThinInput], from base: StateNumber?, _ json: Value, day: Int? = nil,
    within limit: Duration? = nil
  ) throws -> Answer {
    try dropSent()
    try send(inputs, from: base, day: day)
    return try heard(inputs.count, from: base, json, within: limit)
  }

  private func send(_ inputs: [ThinInput], from base: StateNumber?, day: Int? = nil) throws {
    let hasReads = inputs.contains { !$0.reads.isEmpty }
    let reads = hasReads ? Value.array(ValueArray(inputs.map(\.readsValue))) : nil
    try say(
      .line([
        "ask": "reduce", "as": numbers + 1,
        "actions": Value.array(ValueArray(inputs.map(\.action))), "reads": reads,
        "from": base?.number, "copies": givesCopies, "day": day,
        "times": can.whole ? Value.array(ValueArray(inputs.map(\.timeValue))) : nil,
      ]))
  }

  /// Another step is wanted than the one that was sent ahead.
  func dropSent() throws {
    guard let (from, inputs) = sent.take() else { return }
    do {
      _ = try heard(inputs.count, from: from.number, from.json, within: batchTime)
    } catch is HostPipes.End {
      isCareful = true
      throw RunRestart()
    } catch is HostRefusal {}
  }

  private func heard(
    _ count: Int, from base: StateNumber?, _ json: Value, within limit: Duration?
  ) throws -> Answer {
    let told = try hear(within: limit ?? limits.patience)
    if told["needs"] == "copies", !givesCopies {
      givesCopies = true
      letGo()
      throw RunRestart()
    }
    if base == nil, case .array? = told["files"] {
      let notes = Self.strings(told["notes"]).map(\.clipped)
      loaded = (notes, Self.strings(told["files"]), Self.values(told["actions"]))
    }
    var answer = Answer(error: told["error"]?.string, told: told)
    let isPatched = told["patches"] != nil
    guard case .array(let parts)? = told["patches"] ?? told["states"] else {
      throw HostRefusal(.other, answer.error ?? "the host answers neither states nor patches")
    }
    var state = json
    for part in parts.prefix(count) {
      do { state = isPatched ? try Patch(part).applied(to: state) : part } catch {
        throw HostPipes.End("the host answers a patch that does not apply: \(error)")
      }
      guard state.weight <= largestState else {
        answer.error = "the state is too large: more than 8 million values or 128 MB of text"
        break
      }
      answer.states.append(ThinState(state, newNumber()))
    }
    try Self.check(["effects", "asked"], in: told, for: answer.states.count)
    return answer
  }

  // MARK: States

  private func newNumber() -> StateNumber {
    numbers += 1
    return StateNumber(numbers, in: processes) { [forgotten] state in
      forgotten.withLock { $0.append((state.process, state.number)) }
    }
  }

  private func isKnown(_ number: StateNumber) -> Bool {
    number.process == processes && process != nil
  }

  /// Gives the state to the process, if it does not have it. A small change goes as a patch of the
  /// last one, so that values that JSON lacks stay.
  func number(of state: ThinState) throws -> StateNumber {
    if let number = state.number, isKnown(number) { return number }
    try dropSent()
    var change: (base: StateNumber, patch: Patch)?
    let base = can.whole ? state.base.flatMap { isKnown($0) ? $0 : nil } : nil
    if base == nil, let last, let base = last.number, isKnown(base) {
      let patch = Patch(from: last.json, to: state.json)
      if patch.operations.isEmpty { return base }
      let isSmall = patch.operations.allSatisfy { $0.name == "replace" && !$0.path.tokens.isEmpty }
      if isSmall, patch.operations.count < 8 { change = (base, patch) }
    }
    // A host may know no patches; it forgets only what it has.
    let number = newNumber()
    if let (base, patch) = change {
      let answer = try ask([
        "ask": "put", "as": Value(number.number), "from": Value(base.number),
        "patch": patch.value,
      ])
      if answer["error"] == nil { return number }
    }
    let answer = try ask(
      .line(["ask": "put", "as": number.number, "from": base?.number, "state": state.json]))
    if case .string(let words)? = answer["error"] { throw HostRefusal(.other, words) }
    return number
  }

  // MARK: Asking

  var process: HostPipes? { life.withLock { $0.process } }

  private func letGo() {
    let process = life.withLock { $0.process.take() }
    process?.close()
    (last, ahead, sent) = (nil, [], nil)
  }

  func ask(_ request: Value, within limit: Duration = .zero) throws(HostPipes.End) -> Value {
    try say(request)
    return try hear(within: max(limit, limits.patience))
  }

  private func say(_ request: Value) throws(HostPipes.End) {
    let process = if let process { process } else { try start() }
    requests += 1
    var lines = ""
    let gone = forgotten.withLock { exchange(&$0, with: []) }.filter { $0.process == processes }
    if !gone.isEmpty {
      let states = Value.array(ValueArray(gone.map { Value($0.number) }))
      lines += (["ask": "forget", "states": states] as Value).text() + "\n"
    }
    var members = ValueObject()
    members.add(request)
    members["id"] = Value(requests)
    lines += Value.object(members).text() + "\n"
    process.send(lines.utf8)
  }

  private func hear(within limit: Duration) throws(HostPipes.End) -> Value {
    do throws(HostPipes.End) {
      guard let process else { throw HostPipes.End("the reducer's process has ended") }
      return try answer(of: process, within: limit)
    } catch {
      letGo()
      throw error
    }
  }

  private func answer(of process: HostPipes, within limit: Duration) throws(HostPipes.End) -> Value
  {
    guard let line = try process.nextLine(within: limit) else {
      _ = process.hasEnded(within: HostLimits.timeToEnd)
      let exit = process.end()
      throw process.failure("the reducer ended its process with \(exit.text)", exit: exit)
    }
    guard !line.withUnsafeBytes(Self.largestAnswer.hasTooManyEntries) else {
      throw process.failure("the host answered more than 8 million values")
    }
    guard let answer = try? Value(parsing: line), answer["id"] == Value(requests) else {
      throw process.failure(
        "the host wrote no answer: " + String(decoding: line.prefix(200), as: UTF8.self))
    }
    return answer
  }

  private func start() throws(HostPipes.End) -> HostPipes {
    processes += 1
    return try life.withLock { life throws(HostPipes.End) -> HostPipes in
      guard !life.isOver else { throw HostPipes.End("the host was ended") }
      do throws(HostFailure) {
        let process = try HostPipes(first.command, limits: limits, redaction: first.redaction)
        life.process = process
        return process
      } catch { throw HostPipes.End(error.what) }
    }
  }
}
