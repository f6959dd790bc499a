import Platform
import SessionWords
import StoreCore
import StoreTesting
import Testing
import TimeTravel
import ValueTree

@testable import Debugger

extension DebuggerFeature {
  /// Runs an action, and all that is sent in its turn. Returns the effects that they start and stop.
  static func turn(of action: DebuggerAction, on state: inout DebuggerState) -> [Effect<
    DebuggerAction
  >] {
    var effects: [Effect<DebuggerAction>] = []
    var actions = [action]
    while !actions.isEmpty {
      let effect = DebuggerFeature().reduce(into: &state, action: actions.removeFirst())
      for part in effect.operation.parts {
        if case .send(let action) = part {
          actions.append(action)
        } else {
          effects.append(Effect(operation: part))
        }
      }
    }
    return effects
  }
}

extension TestStore {
  /// A feature that works on an open session.
  convenience init(
    _ state: State, on session: OpenSession, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line,
    reducer: () -> some Reducer<State, Action>
  ) {
    self.init(
      initialState: state, reducer: reducer,
      withDependencies: { $0.background = Background(session: session) }, fileID: fileID,
      filePath: filePath, line: line)
  }
}

/// Effects are equal that have one name and the same code, and have captured the same.
extension Effect: Equatable where Action == DebuggerAction {
  public static func == (one: Effect, other: Effect) -> Bool {
    one.operation.isSame(as: other.operation)
  }
}

extension Value: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    self == other
  }
}

extension Effect<DebuggerAction> {
  /// `read moment`; `stop fork` of one that stops others.
  var name: String { operation.name }

  /// The actions that the effect sends, run for itself.
  func answers(_ session: OpenSession) async throws -> [DebuggerAction] {
    guard let run = operation.run else { return [] }
    let sent = Locked<[DebuggerAction]>([])
    try await withDependencies {
      $0.background = Background(session: session)
    } operation: {
      try await run.body(Send { action in sent.withLock { $0.append(action) } })
    }
    return sent.withLock(\.self)
  }
}

extension EffectOperation {
  fileprivate var parts: [EffectOperation] {
    switch self {
    case .none: []
    case .merge(let parts): parts.flatMap(\.parts)
    case .inChild(_, let inner): inner.parts
    default: [self]
    }
  }

  fileprivate var run: EffectRun<Action>? {
    switch self {
    case .run(let run): run
    case .cancellable(let inner, _, _): inner.run
    default: nil
    }
  }

  fileprivate var name: String {
    switch self {
    case .cancel(let id): "stop \(id.base)"
    case .cancelChild: "stop the line"
    default: run?.site.name ?? "?"
    }
  }

  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.run(let one), .run(var other)):
      other.dependencies = one.dependencies
      return one.isSame(as: other)
    case (.cancellable(let one, let id, _), .cancellable(let other, let otherID, _)):
      return id == otherID && one.isSame(as: other)
    case (.cancel(let id), .cancel(let other)): return id == other
    case (.concatenate(let parts), .concatenate(let others)):
      return parts.count == others.count && zip(parts, others).allSatisfy { $0.isSame(as: $1) }
    default: return false
    }
  }
}

@Suite("Effects in tests")
struct TestEffectsTests {
  @Test("are equal if they do the same")
  func same() {
    let script = Script(
      leavesAt: 5, edits: [.insert(after: 5, action: ["add": [1, "two", ["three": 3.5]]])])
    var other = script
    other.edits = [.insert(after: 5, action: ["add": [1, "two", ["three": 3]]])]
    let effects: [Effect<DebuggerAction>] = [
      .addFork("fork 1", script), .addFork("fork 2", script), .addFork("fork 1", other),
      .changeFork("fork 1", script), .deleteFork("fork 1"), .runFork("fork 1"), .runAgain("fork 1"),
      .runAgain(nil), .readMoment(Position(step: 5)), .readMoment(Position(step: 6)),
      .readMoment(Position(step: 5), comparedWith: "main"), .output(.quit), .output(.copy("a")),
      .cancel(id: Background.Job.fork), .cancel(id: Background.Job.finding),
    ]
    for (index, effect) in effects.enumerated() {
      #expect(effects.indices.filter { effects[$0] == effect } == [index], "\(effect.name)")
    }
    var again = Script(leavesAt: 5)
    again.edits = [.insert(after: 5, action: ["add": [1, "two", ["three": 3.5]]])]
    #expect(effects[0] == .addFork("fork 1", again))
    #expect(effects[10] == .readMoment(Position(step: 5), comparedWith: "main"))
  }
}
