import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

extension Blame {
  static let mostLines = 2_000

  static func trace(_ entity: Entity, _ branch: BranchID) -> Effect<Action> {
    let title = "trace \(entity.words)"
    return listing(title) { session in
      guard let steps = session.branch(branch)?.steps else { return [] }
      var lines: [ListLine] = []
      var left = 0
      let (places, unknown) = try await session.trace(entity, in: steps, of: branch) { traced in
        guard lines.count < mostLines else { return left += 1 }
        let place = Position(branch: branch, step: traced.step)
        let step = try session.step(at: place).step
        lines.append(ListLine("\(grouped(traced.step)) \(step.label)", at: place))
        lines += traced.lines.map { ListLine("  \($0)", at: place) }
      }
      guard !lines.isEmpty else { return ["No step touches or names it."] }
      if left > 0 { lines.append(ListLine("\(counted(left, "more step")); retcon trace has all.")) }
      let names = places.map(\.key).joined(separator: ", ")
      lines.append(ListLine(places.isEmpty ? "At the end it is nowhere." : "At the end: \(names)."))
      if unknown > 0 {
        lines.append(ListLine("The state is not known after \(counted(unknown, "step"))."))
      }
      return lines
    }
  }

  static func odd(_ branch: BranchID) -> Effect<Action> {
    listing("steps that are unlike their kind") { session in
      guard let steps = session.branch(branch)?.steps else { return [] }
      let found = try await session.oddities(of: branch, in: steps)
      guard !found.isEmpty else { return ["No step is unlike its kind."] }
      return found.map {
        ListLine("\(grouped($0.step)) \($0.line)", at: Position(branch: branch, step: $0.step))
      }
    }
  }

  private static func listing(
    _ title: String, _ lines: @escaping @Sendable (OpenSession) async throws -> [ListLine]
  ) -> Effect<Action> {
    .doing("blame", orSend: { .listed(title: title, [ListLine($0)]) }) { session, send in
      await send(.listed(title: title, try await lines(session)))
    }.cancellable(id: Job.listing, cancelInFlight: true)
  }
}

extension DebuggerState {
  /// The record around the cursor of the pane, else the value there.
  fileprivate var entityUnderCursor: Entity? {
    guard let value = moment?.state, var path = view.row?.path else { return nil }
    let own = path.value(in: value)
    while true {
      if case .object(let members)? = path.value(in: value) {
        for key in ElementMatching.standard.identityKeys {
          if let id = members[key].flatMap(Self.id) { return Entity(id) }
        }
      }
      guard !path.isRoot else { return own.flatMap(Self.id).flatMap { Entity($0) } }
      path.parts.removeLast()
    }
  }

  private static func id(_ value: Value) -> String? {
    switch value {
    case .string(let text): text.contains(where: \.isWhitespace) ? nil : text
    case .number(let number): number.text
    default: nil
    }
  }
}

extension DebuggerUpdate {
  /// `:trace order 4711`; without words, what the cursor of the pane is on.
  mutating func trace(_ text: String) {
    guard let entity = text.isEmpty ? state.entityUnderCursor : Entity(text) else {
      return say(
        text.isEmpty
          ? "Put the cursor on a value with an id, or write :trace order 4711."
          : "“\(text)” is not a kind and an id. Write :trace order 4711.", .warning)
    }
    list(.traced(entity, of: state.branch.id))
  }

  mutating func listOddities() { list(.oddWanted(of: state.branch.id)) }

  private mutating func list(_ wanted: Blame.Action) {
    guard state.branch.progress != .running else { return say("The fork is still running.") }
    state.searches.isLeft = false
    send(.blame(wanted))
  }
}
