import Platform
import Recorder
import Replay
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import ValueTree

/// A random program for a reducer, in JSON: a list of what each action does. Swift and Python run it alike.
struct RandomProgram {
  private(set) var actions: Value
  private var random: SeededRandomNumberGenerator

  private static let last = 5
  private static let ids = ["x", "y"]

  init(seed: UInt64) {
    random = SeededRandomNumberGenerator(seed: seed)
    actions = .null
    var members = ValueObject()
    for number in 0...Self.last {
      members["a\(number)"] = some { $0.part(number) }
    }
    actions = .object(members)
  }

  /// One to four of them.
  private mutating func some(_ make: (inout RandomProgram) -> Value) -> Value {
    let count = Int.random(in: 1...4, using: &random)
    var values: [Value] = []
    for _ in 0..<count { values.append(make(&self)) }
    return .array(ValueArray(values))
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  /// Each program sends later actions only, so that it ends.
  private mutating func later(than number: Int) -> Value {
    .string("a\(Int.random(in: number + 1...Self.last, using: &random))")
  }

  private mutating func part(_ number: Int) -> Value {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: return ["start": effect(number)]
    case 7..<10 where number < Self.last: return ["send": later(than: number)]
    case 10..<14:
      let key = ["dice", "dice", "date", "random"].randomElement(using: &random) ?? "dice"
      return ["read": .string(key), "args": .bool(key == "dice")]
    case 14..<16: return ["cancel": .string(chance(50) ? "x" : "y")]
    case 16..<18: return ["if": 2, "then": .array(ValueArray([part(number)]))]
    default: return ["add": Value(Int.random(in: 0...3, using: &random))]
    }
  }

  private mutating func effect(_ number: Int) -> Value {
    var members = ValueObject()
    members["name"] = .string("e\(Int.random(in: 0...2, using: &random))")
    if chance(60) {
      members["cancel"] = .string(chance(50) ? "x" : "y")
      members["restarts"] = .bool(chance(50))
      if chance(30) { members["pause"] = 250 }
    }
    members["body"] = some { $0.deed(number) }
    return .object(members)
  }

  private mutating func deed(_ number: Int) -> Value {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return ["wait": Value(Int.random(in: 1...8, using: &random) * 100)]
    case 3..<6: return ["ask": .string(chance(70) ? "rate" : "flaky")]
    case 6..<9 where number < Self.last: return ["send": later(than: number)]
    case 9 where chance(30): return ["fail": true]
    default: return ["wait": 50]
    }
  }

  /// Action 4 and 5 come only from others.
  mutating func userAction() -> ProgramAction {
    ProgramAction(
      type: "a\(Int.random(in: 0...3, using: &random))", n: Int.random(in: 0...4, using: &random))
  }

  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func element<Element>(of list: [Element]) -> Element? {
    list.randomElement(using: &random)
  }
}

struct ProgramState: Codable, Equatable {
  var count = 0
  var sum = 0
  var log: [String] = []
}

struct ProgramAction: Codable, LabelledAction {
  var type: String
  var n: Int
  var actionLabel: String { type }
}

struct ProgramID: Hashable, CustomStringConvertible {
  let description: String
  init(_ text: String) { description = text }
}

/// The world that the live app asks.
struct ProgramWorld: DependencyKey {
  var seed = 0
  var clock: TestClock?
  let drawn = Locked(0)

  static var liveValue: ProgramWorld { ProgramWorld() }

  func read(_ key: String, _ n: Int) -> Int {
    switch key {
    case "date": Int((clock?.now.offset ?? .zero) / .seconds(1))
    case "random":
      drawn.withLock { drawn in
        drawn += 1
        return (drawn * 5 + seed) % 11
      }
    default: (n * 3 + seed) % 6
    }
  }

  func answer(_ key: String, _ n: Int) async throws -> Int {
    try await clock?.sleep(for: .milliseconds(50 + 100 * n))
    if key == "flaky", n % 2 == 1 { throw Broken() }
    return (n * 7 + seed) % 10
  }
}

struct Broken: Error, CustomStringConvertible { let description = "broken" }

struct ProgramReducer: Reducer {
  let program: Value

  func reduce(into state: inout ProgramState, action: ProgramAction) -> Effect<ProgramAction> {
    state.log = (state.log + [action.type]).suffix(4)
    return run(program[action.type], &state, action.n)
  }

  private func run(_ parts: Value?, _ state: inout ProgramState, _ n: Int) -> Effect<ProgramAction>
  {
    var effects: [Effect<ProgramAction>] = []
    for part in parts.list {
      if let number = part["add"].int {
        state.count += number + n
      } else if let key = part["read"]?.string {
        let world = DependencyValues.current[ProgramWorld.self]
        state.sum += Tape().value(
          key, arguments: part["args"] == true ? [n] : [], substitute: { _ in 0 }
        ) { world.read(key, n) }
      } else if let type = part["send"]?.string {
        effects.append(.send(ProgramAction(type: type, n: state.count % 5)))
      } else if let id = part["cancel"]?.string {
        effects.append(.cancel(id: ProgramID(id)))
      } else if let effect = part["start"] {
        effects.append(start(effect, state.count % 3))
      } else if let divisor = part["if"].int, state.count % divisor == 0 {
        effects.append(run(part["then"], &state, n))
      }
    }
    return .merge(effects)
  }

  private func start(_ told: Value, _ n: Int) -> Effect<ProgramAction> {
    let text = told["body"]?.text() ?? ""
    let effect = Effect<ProgramAction>.run(
      name: told["name"]?.string, { try await Self.perform(text, n, $0) }, fileID: "program",
      line: 1)
    guard let id = told["cancel"]?.string else { return effect }
    if let pause = told["pause"].int {
      return effect.debounce(
        id: ProgramID(id), for: .milliseconds(pause), fileID: "program", line: 1)
    }
    return effect.cancellable(id: ProgramID(id), cancelInFlight: told["restarts"] == true)
  }

  private static func perform(
    _ text: String, _ n: Int, _ send: Send<ProgramAction>
  ) async throws {
    let world = DependencyValues.current[ProgramWorld.self]
    let clock = DependencyValues.current.continuousClock
    var heard = n
    for part in (try? Value(parsing: text)).list {
      if let wait = part["wait"].int {
        try await clock.sleep(for: .milliseconds(wait))
      } else if let key = part["ask"]?.string {
        do {
          heard = try await Tape().value(key, arguments: [n]) { try await world.answer(key, n) }
        } catch is CancellationError { throw CancellationError() } catch { heard = 99 }
      } else if let type = part["send"]?.string {
        await send(ProgramAction(type: type, n: heard))
      } else if part["fail"] == true {
        throw Broken()
      }
    }
  }

  /// The same in Python, for the host on the page.
  static let python = """
    import json, pathlib
    program = json.loads(pathlib.Path(__file__).with_name("program.json").read_text())
    initial_state = {"count": 0, "sum": 0, "log": []}
    def named(text): return f"RetconCommandTests.ProgramID({text})"
    def reducer(state, action, read):
        if action["type"] not in program: return state, []
        state = {**state, "log": (state["log"] + [action["type"]])[-4:]}
        return state, run(program[action["type"]], state, action["n"], read)
    def run(parts, state, n, read):
        effects = []
        for part in parts:
            if "add" in part: state["count"] += part["add"] + n
            elif "read" in part:
                state["sum"] += read(part["read"], *([n] if part["args"] else []), otherwise=0)
            elif "send" in part:
                effects.append({"send": {"type": part["send"], "n": state["count"] % 5}})
            elif "cancel" in part: effects.append({"cancel": named(part["cancel"])})
            elif "start" in part: effects.append(start(part["start"], state["count"] % 3))
            elif state["count"] % part["if"] == 0: effects += run(part["then"], state, n, read)
        return effects
    def start(told, n):
        place = {"file": "program", "line": 1}
        effect = {"name": told["name"], "work": ["body", told["body"], n], **place}
        if "cancel" not in told: return effect
        told_id = {"cancel": named(told["cancel"]), "restarts": told["restarts"]}
        if "pause" in told:
            pause = {"name": "debounce", "pause": told["pause"] / 1000, "then": [effect]}
            return {**pause, **place, **told_id, "restarts": True}
        return {**effect, **told_id}
    def perform(parts, n):
        heard = n
        for part in parts:
            if "wait" in part: yield {"waits": part["wait"] / 1000}
            elif "ask" in part:
                try: heard = yield {"asks": {"key": part["ask"], "arguments": [n]}}
                except OSError: heard = 99
            elif "send" in part: yield {"send": {"type": part["send"], "n": heard}}
            else: raise ValueError("broken")
    bodies = {"body": perform}

    """
}

extension RandomProgram {
  /// A session of a random user of the program, recorded.
  mutating func record(to path: String, seed: Int) async throws -> SessionReader {
    let clock = TestClock()
    var options = RecordingOptions(app: .init("Program"))
    options.clock = { clock.now.offset }
    options.started = "2026-11-20T10:56:00Z"
    options.snapshots = .copied
    options.backPressure = .wait(beyond: 1_000)
    let recorder = StoreRecorder<ProgramState, ProgramAction>(to: path, options: options)
    var tasks: [StoreTask] = []
    do {
      let store = Store(initialState: ProgramState(), hooks: recorder) {
        ProgramReducer(program: actions)
      } withDependencies: {
        $0.continuousClock = clock
        $0[ProgramWorld.self] = ProgramWorld(seed: seed, clock: clock)
        $0.issueReporter = IssueReporter { _ in }
      }
      await clock.advance()
      for _ in 0..<number(in: 3...10) {
        if !tasks.isEmpty, number(in: 0...9) == 0 {
          element(of: tasks)?.cancel()
        } else {
          tasks.append(store.send(userAction()))
        }
        // Not at the moment of anything else.
        await clock.advance(by: .microseconds(number(in: 1...900_000) | 1))
      }
      if number(in: 0...1) == 0 { recorder.finish() }
      withExtendedLifetime(store) {}
    }
    recorder.finish()
    return try SessionReader(path: path)
  }

  /// A script of one to three edits of a session with these steps, possible or not.
  mutating func script(of reader: SessionReader, parent: BranchID = .main) throws -> Script {
    let edits = try (0...number(in: 0...2)).compactMap { _ in try edit(of: reader) }
    let leavesAt = edits.compactMap(\.leavesAt).min() ?? reader.steps.upperBound
    return Script(parent: parent, leavesAt: leavesAt, edits: edits)
  }

  private mutating func edit(of reader: SessionReader) throws -> Edit? {
    let last = reader.steps.upperBound
    guard last > 0 else { return nil }
    let (step, after) = (number(in: 1...last), number(in: 0...last))
    let action = try ValueEncoder().encode(userAction())
    switch number(in: 0...9) {
    case 0, 1: return .skip(step: step)
    case 2, 3: return .replace(step: step, action: action)
    case 4: return .insert(after: after, action: action)
    case 5 where after != step && after != step - 1: return .move(step: step, after: after)
    case 6:
      guard let read = try element(of: reader.step(step).reads) else { return nil }
      return .read(
        step: step, key: read.key, index: 0, outcome: .value(Value(number(in: 0...20))))
    case 7: return .set(step: after, pointer: ["count"], value: Value(number(in: 0...9)))
    case 8:
      let events = try reader.effectEvents(in: reader.steps)
      guard let effect = element(of: events) else { return nil }
      let outcomes = [
        EffectAnswer.Outcome.emit(action: action), .finish, .fail(message: "no"), .cancel,
      ]
      let place = number(in: effect.step...last)
      return .answer(
        EffectAnswer(
          effect: effect.effect, after: place, outcome: element(of: outcomes) ?? .finish))
    default:
      let question = Question(element(of: ["rate", "flaky"]) ?? "rate", [Value(number(in: 0...2))])
      return .reply(Reply(to: question, .value(Value(number(in: 0...9)))))
    }
  }
}

extension Value? {
  fileprivate var int: Int? {
    if case .number(.integer(let number))? = self { Int(number) } else { nil }
  }

  fileprivate var list: [Value] { if case .array(let list)? = self { Array(list) } else { [] } }
}
