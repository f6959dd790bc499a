import HostProtocol
import Platform
import Replay
import SessionFile
import SessionWords
import ValueTree

/// A host that only reduces, asked for many steps at a time.
///
/// `@unchecked Sendable`: one thread asks at a time; what states hold tells its end under a lock.
final class ThinHost: @unchecked Sendable {
  let remote = RemoteReducer()
  private let command: HostCommand
  /// How long a batch of several steps may take.
  private let patience: Duration
  /// By ``Value/weight``: the memory of a state is up to four times that.
  private let largestState: Int
  private let longestLine: Int
  private var process: HostPipes?
  private var processes = 0
  private var numbers = 0
  private var requests = 0
  private let forgotten = Locked<[(process: Int, number: Int)]>([])
  private var ahead: ArraySlice<Step> = []
  /// A batch that the host runs while the steps before it are looked at.
  private var sent: (from: ThinState, actions: [Value])?
  /// The state after the last step, run a second time.
  private var second: ThinState?
  private var last: ThinState?
  /// How many steps take about 20 ms.
  private var size = 1
  /// A batch has ended the process, so that steps are run one by one, to know which one does.
  private var isCareful = false
  private var givesCopies = false
  /// It was given the first state, so a session may not bring one.
  private var hasStart = false
  /// Whether the reducer's own first state leads to the states of this session.
  private var tried: (session: String, isStart: Bool)?

  private struct Step {
    var from: StateNumber
    var action: Value
    var outcome: Result<ThinState, HostPipes.End>
    var changedPlace: String?
    var second: ThinState?
  }

  private struct Answer {
    var states: [ThinState] = []
    var error: String?
    var places: Value?
  }

  private static var longest: Int { 64 }
  private static let largestAnswer = HostLimits(message: 512 << 20)
  private static let beginning: Value = ["type": "@@INIT"]

  init(
    _ command: HostCommand, batch patience: Duration, largestState: Int = 128 << 20,
    longestLine: Int = HostLimits().message
  ) {
    self.command = command
    self.patience = patience
    self.largestState = largestState
    self.longestLine = longestLine
  }

  func greet() throws -> String {
    let answer = try ask(["ask": "greet", "version": [2, 0], "debugger": "retcon"])
    hasStart = answer["hasState"] == true
    guard case .string(let name)? = answer["name"] else { throw HostPipes.End("it has no name") }
    return name
  }

  func end() { process?.end() }

  // MARK: Steps

  func reduce(_ state: inout ThinState, _ action: Value) {
    if remote.isSecondRun {
      state = second ?? state
    } else if state.isBroken, remote.isInterrupted {
      remote.fault = .interrupted
    } else {
      do {
        let step = try next(from: state, action)
        (second, remote.changedPlace) = (step.second, step.changedPlace)
        state = try step.outcome.get()
        last = state
      } catch is RunRestart {
        remote.fault = .restarted
      } catch {
        state.isBroken = true
        remote.fault = .threw((error as? HostRefusal)?.message ?? "\(error)")
      }
    }
  }

  private func next(from state: ThinState, _ action: Value) throws -> Step {
    if let first = ahead.first, first.from.held === state.number?.held,
      first.action.isExactlyEqual(to: action), remote.runsTwice == (first.second != nil)
    {
      ahead.removeFirst()
      remote.wanted = ahead.isEmpty ? wanted : 0
      return first
    }
    ahead = []
    let actions = [action] + exchange(&remote.upcoming, with: [])
    ahead = try batch(from: state, isCareful ? [action] : actions)[...]
    let first = ahead.removeFirst()
    remote.wanted = ahead.isEmpty && !isCareful ? wanted : 0
    return first
  }

  private var sendsAhead: Bool { size == Self.longest && !isCareful && !remote.runsTwice }
  private var wanted: Int { sendsAhead ? 2 * size - 1 : size - 1 }

  /// At least one step.
  private func batch(from state: ThinState, _ known: [Value]) throws -> [Step] {
    let isSent = sent.map { sent in
      sent.from.number?.held === state.number?.held && sent.actions.count <= known.count
        && zip(sent.actions, known).allSatisfy { $0.isExactlyEqual(to: $1) }
    }
    if isSent == false { try dropSent() }
    let actions = sent?.actions ?? Array(known.prefix(size))
    let limit = actions.count > 1 ? patience : nil
    let start = ContinuousClock.now
    do {
      let base = try number(of: state)
      if sent.take() == nil { try send(actions, from: base) }
      let answer = try heard(actions, from: base, state.json, within: limit)
      var seconds: Answer?
      if remote.runsTwice {
        let same = Array(actions.prefix(answer.states.count))
        seconds = try reduce(same, from: base, state.json, day: 1, within: limit)
      }
      let time = ContinuousClock.now - start
      size = time < .milliseconds(10) ? min(Self.longest, 2 * size) : max(1, size / 2)
      let next = Array(known.dropFirst(actions.count).prefix(size))
      if sendsAhead, !next.isEmpty, answer.states.count == actions.count,
        let from = answer.states.last
      {
        try send(next, from: from.number)
        sent = (from, next)
      }
      return try steps(actions, from: base, answer, seconds)
    } catch is HostPipes.End where actions.count > 1 {
      isCareful = true
      throw RunRestart()
    }
  }

  private func steps(
    _ actions: [Value], from base: StateNumber, _ answer: Answer, _ seconds: Answer?
  ) throws -> [Step] {
    var steps: [Step] = []
    var from = base
    for (index, state) in answer.states.enumerated() {
      var step = Step(from: from, action: actions[index], outcome: .success(state))
      if case .string(let place)? = answer.places?[index] { step.changedPlace = place }
      if let seconds {
        let again =
          index < seconds.states.count
          ? seconds.states[index].json : .string(seconds.error ?? "nothing")
        // Only a run from the same state counts as a second run of the step.
        let isSame = again.isExactlyEqual(to: state.json)
        step.second = isSame ? state : ThinState(again)
        if !isSame { return steps + [step] }
      }
      steps.append(step)
      if let number = state.number { from = number }
    }
    if let error = answer.error, steps.count < actions.count {
      steps.append(
        Step(from: from, action: actions[steps.count], outcome: .failure(HostPipes.End(error))))
    }
    guard !steps.isEmpty else { throw HostPipes.End("the host has run no step") }
    return steps
  }

  /// The states after some actions, from a state or from nothing.
  private func reduce(
    _ actions: [Value], from base: StateNumber?, _ json: Value, day: Int? = nil,
    within limit: Duration? = nil
  ) throws -> Answer {
    try dropSent()
    try send(actions, from: base, day: day)
    return try heard(actions, from: base, json, within: limit)
  }

  private func send(_ actions: [Value], from base: StateNumber?, day: Int? = nil) throws {
    try say(
      .line([
        "ask": "reduce", "as": numbers + 1, "actions": Value.array(ValueArray(actions)),
        "from": base?.held.number, "copies": givesCopies, "day": day,
      ]))
  }

  /// Another step is wanted than the one that was sent ahead.
  private func dropSent() throws {
    guard let (from, actions) = sent.take() else { return }
    do {
      _ = try heard(actions, from: from.number, from.json, within: patience)
    } catch is HostPipes.End {
      isCareful = true
      throw RunRestart()
    } catch is HostRefusal {}
  }

  private func heard(
    _ actions: [Value], from base: StateNumber?, _ json: Value, within limit: Duration?
  ) throws -> Answer {
    let told = try hear(within: limit)
    if told["needs"] == "copies", !givesCopies {
      givesCopies = true
      letGo()
      throw RunRestart()
    }
    if base == nil, case .array? = told["files"] {
      remote.notes = told["notes"].map(Self.strings) ?? []
      remote.files = told["files"].map(Self.strings) ?? []
    }
    var answer = Answer(places: told["changed"])
    if case .string(let words)? = told["error"] { answer.error = words }
    let isPatched = told["patches"] != nil
    guard case .array(let parts)? = told["patches"] ?? told["states"] else {
      throw HostRefusal(.other, answer.error ?? "the host answers neither states nor patches")
    }
    var state = json
    for part in parts.prefix(actions.count) {
      do { state = isPatched ? try Patch(part).applied(to: state) : part } catch {
        throw HostPipes.End("the host answers a patch that does not apply: \(error)")
      }
      guard state.weight <= largestState else {
        answer.error = "the state is too large: more than 8 million values or 128 MB of text"
        break
      }
      answer.states.append(ThinState(state, newNumber()))
    }
    return answer
  }

  /// As many texts as a debugger cares to look at.
  private static func strings(_ list: Value) -> [String] {
    guard case .array(let values) = list else { return [] }
    return values.prefix(4096).compactMap(\.string)
  }

  // MARK: States

  func start(of session: SessionReader) throws -> ThinState? {
    while true {
      do {
        let start = try makeStart(of: session.header)
        return try start.map { try isStart($0, of: session) } == false ? nil : start
      } catch let end as HostPipes.End {
        throw HostRefusal(.other, end.description)
      } catch is RunRestart {}
    }
  }

  private func makeStart(of header: SessionHeader) throws -> ThinState? {
    let own = try reduce([Self.beginning], from: nil, .null)
    guard let recorded = header.state else {
      guard let state = own.states.first else {
        throw HostRefusal(
          .undecodable, "the reducer gives no first state: \(own.error ?? "it says nothing")")
      }
      return state
    }
    if hasStart, header.origin?.statesBy == nil {
      throw HostRefusal(.other, "the session brings its own first state: leave out --state")
    }
    // What an app starts with has gone through the reducer once, which fills in what is missing.
    if header.states == .first {
      let base = try number(of: ThinState(recorded))
      return try reduce([Self.beginning], from: base, recorded).states.first
    }
    // The reducer's own has all that JSON has no words for.
    return own.states.first { $0.json == recorded }
  }

  /// A session that holds states, but not the first one, may have begun with another than the reducer's.
  private func isStart(_ state: ThinState, of session: SessionReader) throws -> Bool {
    let first = session.steps.lowerBound
    guard session.header.state == nil, session.header.states != .first, !hasStart,
      let last = try SessionSource(session).knownState(from: first + 1), last - first < Self.longest
    else { return true }
    if let tried, tried.session == session.path { return tried.isStart }
    tried = (session.path, true)
    let steps = try (first + 1...last).map { try session.step($0) }
    guard
      steps.allSatisfy({ $0.damage == nil && $0.error == nil && $0.set == nil && !$0.isSkipped })
    else { return true }
    do {
      let answer = try reduce(
        steps.map(\.action), from: number(of: state), state.json, within: patience)
      let reached = answer.states.count == steps.count ? answer.states.last?.json : nil
      let isStart = try reached == session.state(after: last)
      tried = (session.path, isStart)
      return isStart
    } catch is HostPipes.End { throw RunRestart() }
  }

  private func newNumber() -> StateNumber {
    numbers += 1
    return StateNumber(
      held: StateNumber.Held(numbers, in: processes) { [forgotten] held in
        forgotten.withLock { $0.append((held.process, held.number)) }
      })
  }

  /// Gives the state to the process, if it does not have it: as a change of the last one, where it is a small
  /// one, so that all that JSON has no words for stays.
  private func number(of state: ThinState) throws -> StateNumber {
    if let number = state.number, number.held.process == processes, process != nil { return number }
    try dropSent()
    var change: (base: StateNumber, patch: Patch)?
    if let last, let base = last.number, base.held.process == processes, process != nil {
      let patch = Patch(from: last.json, to: state.json)
      if patch.operations.isEmpty { return base }
      let isSmall = patch.operations.allSatisfy { $0.name == "replace" && !$0.path.tokens.isEmpty }
      if isSmall, patch.operations.count < 8 { change = (base, patch) }
    }
    // A host may know no patches; it forgets only what it has.
    let number = newNumber()
    if let (base, patch) = change {
      let answer = try ask([
        "ask": "put", "as": Value(number.held.number), "from": Value(base.held.number),
        "patch": patch.value,
      ])
      if answer["error"] == nil { return number }
    }
    let answer = try ask(["ask": "put", "as": Value(number.held.number), "state": state.json])
    if case .string(let words)? = answer["error"] { throw HostRefusal(.other, words) }
    return number
  }

  // MARK: Asking

  private func letGo() {
    process?.end()
    (process, last, ahead, sent) = (nil, nil, [], nil)
    remote.hasLostStates = true
  }

  private func ask(_ request: Value) throws -> Value {
    try say(request)
    return try hear()
  }

  private func say(_ request: Value) throws {
    let process = try self.process ?? start()
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
    process.send(lines)
  }

  private func hear(within limit: Duration? = nil) throws -> Value {
    do {
      guard let process else { throw HostPipes.End("the reducer's process has ended") }
      return try answer(of: process, until: limit.map { .now + $0 })
    } catch {
      letGo()
      throw error
    }
  }

  private func answer(
    of process: HostPipes, until deadline: ContinuousClock.Instant?
  ) throws -> Value {
    guard let line = try process.nextLine(until: deadline) else {
      throw HostPipes.End("the reducer ended its process with \(process.waitForExit().text)")
    }
    guard !line.withUnsafeBytes(Self.largestAnswer.hasTooManyEntries) else {
      throw HostPipes.End("the host answered more than 8 million values")
    }
    guard let answer = try? Value(parsing: line), answer["id"] == Value(requests) else {
      throw HostPipes.End(
        "the host wrote no answer: " + String(decoding: line.prefix(200), as: UTF8.self))
    }
    return answer
  }

  private func start() throws -> HostPipes {
    let process = try HostPipes(command, longestLine: longestLine)
    processes += 1
    self.process = process
    return process
  }
}
