import ComposableArchitecture
import ComposableRecording

/// Sends in every way that an effect can, from actions of the user and from actions of effects.
struct Causes: ComposableArchitecture.Reducer {
  struct State: Codable, Sendable, Equatable { var log: [String] = [] }

  enum Action: String, Codable, Sendable {
    case load, loaded, delegate, heard
    case both, one, other, after
    case chain, chained, last, end
    case group, first, second, done
    case combine, combined, piped
    case mixed, mixedLast, open
    case stream
    case wait, waitInside, stop
    case child, shown, leave, dismissed
  }

  enum CancelID { case child, wait }

  func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.log.append(action.rawValue)
    switch action {
    // A delegate, and what the parent makes of it: an effect's action that sends, nested.
    case .load: return .run(name: "load") { send in await send(.loaded) }
    case .loaded: return Effect<Bool>.send(true).map { _ in .delegate }
    case .delegate: return .send(.heard)
    // Merged with a run that goes on.
    case .both:
      return .merge(
        .run(name: "both") { send in
          await send(.one)
          await send(.other)
        }, .send(.loaded))
    case .one: return .merge(.send(.after), .run(name: "after one") { await $0(.after) })
    // Behind runs, one and two, and behind what was sent.
    case .chain:
      return .concatenate(
        .run(name: "chain") { await $0(.chained) }, .send(.last), .send(.last),
        .run(name: "end") { await $0(.end) })
    case .group:
      return .concatenate(
        .merge(
          .run(name: "first") { await $0(.first) }, .run(name: "second") { await $0(.second) },
          .send(.piped)),
        .send(.done), .send(.delegate))
    // A publisher that has a value at once, and the action that follows.
    case .combine: return .publisher { Just(.combined) }
    case .combined: return .run(name: "combined") { await $0(.end) }
    // Publishers beside what reducers send: before, after, around, and one that stays open.
    case .mixed: return .merge(.publisher { Just(.stream) }, .send(.loaded))
    case .mixedLast:
      return .merge(.send(.loaded), .publisher { Just(.chained) }, .send(.last))
    case .open:
      return .merge(
        .publisher { CurrentValueSubject<Action, Never>(.combined) }
          .cancellable(id: CancelID.wait), .send(.done),
        .concatenate(.run(name: "end") { await $0(.end) }, .send(.first)))
    // A publisher that is over at once, whose action sends.
    case .stream: return .publisher { Just(.delegate) }
    // Chains that are cancelled: as a whole, and their first part alone.
    case .wait:
      return .concatenate(.run(name: "wait") { _ in await Self.forever() }, .send(.last))
        .cancellable(id: CancelID.wait)
    case .waitInside:
      return .concatenate(
        .run(name: "wait") { _ in await Self.forever() }.cancellable(id: CancelID.wait),
        .send(.last))
    case .stop: return .cancel(id: CancelID.wait)
    // A child that an effect dismisses.
    case .child: return .untilDismissed(CancelID.child, .dismissed)
    case .leave:
      return .run(name: "leave") { _ in await MainActor.run { CancelIDs.cancel(CancelID.child) } }
    case .dismissed: return .send(.heard)
    default: return .none
    }
  }

  private static func forever() async {
    let (stream, end) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    end.finish()
  }
}
