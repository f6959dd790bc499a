import ComposableArchitecture
import ComposableRecording
import Platform

/// A feature like those of the library's examples. Its effects capture the whole state, and some
/// have cancel ids. A sheet has an effect of its own, and one effect reads a shared setting.
struct Timers: ComposableArchitecture.Reducer {
  struct Sheet: Codable, Sendable, Equatable {
    var text = ""
    var length: Int?
  }

  enum SheetAction: Codable, Sendable, Equatable { case typed(String), counted(Int) }

  struct State: Codable, Sendable {
    var query = ""
    var fact: String?
    var seconds = 0
    var likes = 0
    @Shared(.inMemory("sound")) var sound = true
    @PresentationState var sheet: Sheet?
  }

  enum Action: Codable, Sendable {
    case queryChanged(String)
    case factTapped
    case factCame(String)
    case runTapped
    case ticked
    case stopTapped
    case likeTapped
    case soundTapped
    case ringTapped
    case rang(Bool)
    case muteTapped
    case sheetTapped
    case sheet(PresentationAction<SheetAction>)
  }

  enum CancelID: Hashable, Sendable { case fact, timer, sheet }

  @Dependency(\.fact) private var fact
  @Dependency(\.continuousClock) private var clock

  func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query): state.query = query
    case .factTapped:
      return Self.counted("fact") { [fact, clock, state] send in
        try await clock.sleep(for: .seconds(1))
        await send(.factCame(try await fact(state.query.count)))
      } catch: { error, send in
        await send(.factCame("\(error)"))
      }
      .cancellable(id: CancelID.fact, cancelInFlight: true)
    case .factCame(let fact): state.fact = fact
    case .runTapped:
      return Self.counted("timer") { [clock, state] send in
        for _ in state.seconds..<100 {
          try await clock.sleep(for: .seconds(1))
          await send(.ticked)
        }
      }
      .cancellable(id: CancelID.timer, cancelInFlight: true)
    case .ticked: state.seconds += 1
    case .stopTapped: return .cancel(id: CancelID.timer)
    case .likeTapped: state.likes += 1
    case .soundTapped: state.$sound.withLock { $0.toggle() }
    case .ringTapped:
      return Self.counted("ring") { [clock, state] send in
        try await clock.sleep(for: .seconds(2))
        await send(.rang(state.sound))
      }
    case .rang(let isLoud): state.fact = isLoud ? "loud" : "silent"
    case .muteTapped:
      return Self.counted("mute") { [state] send in
        state.$sound.withLock { $0 = false }
        await send(.factCame("muted"))
      }
    case .sheetTapped: state.sheet = Sheet()
    case .sheet(.dismiss):
      state.sheet = nil
      return .cancel(id: CancelID.sheet)
    case .sheet(.presented(let action)): return reduceSheet(&state.sheet, action)
    }
    return .none
  }

  private func reduceSheet(_ sheet: inout Sheet?, _ action: SheetAction) -> Effect<Action> {
    switch action {
    case .typed(let text): sheet?.text = text
    case .counted(let length): sheet?.length = length
    }
    guard case .typed = action else { return .none }
    return Self.counted("count") { [clock, sheet] (send: Send<SheetAction>) in
      try await clock.sleep(for: .seconds(1))
      await send(.counted(sheet?.text.count ?? 0))
    }
    .map { .sheet(.presented($0)) }
    .cancellable(id: CancelID.sheet, cancelInFlight: true)
  }

  /// An effect whose work the clock of a live app waits for.
  private static func counted<Sent: Sendable>(
    _ name: String,
    _ operation: @escaping @Sendable (Send<Sent>) async throws -> Void,
    catch handler: (@Sendable (any Error, Send<Sent>) async -> Void)? = nil
  ) -> Effect<Sent> {
    let activity = Activity.current.withLock { $0 }
    activity?.begin()
    return .run(name: name) { send in
      defer { activity?.end() }
      do {
        try await operation(send)
      } catch {
        guard !(error is CancellationError), let handler else { throw error }
        await handler(error, send)
      }
    }
  }
}
