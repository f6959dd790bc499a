import Platform
import StoreCore
import TextCanvas
import TimeTravel

/// The session, the app and the terminal that effects use.
struct Background: Sendable {
  let session: OpenSession
  /// The folder for files, instead of where they were asked for.
  var folder: String?
  var app: RunningApp?
  var sessions: AppSessions?
  var output: @Sendable (DebuggerOutput) -> Void = { _ in }
  let saving = SavingQueue()

  enum Job: Hashable, Sendable {
    case moment, ahead, timeline, span, align
    case finding, fork, exporting, following, showing, naming
  }
}

private enum BackgroundKey: TestDependencyKey {
  static let testValue: Background? = nil
}

extension DependencyValues {
  /// Nil where a test runs the reducer alone.
  var background: Background? {
    get { self[BackgroundKey.self] }
    set { self[BackgroundKey.self] = newValue }
  }
}

extension Effect {
  /// Work on the open session that stops between two small pieces if cancelled. If it fails, it
  /// sends an action with the reason, or just ends.
  static func doing(
    _ name: String, orSend failure: @escaping @Sendable (String) -> Action? = { _ in nil },
    _ body: @escaping @Sendable (OpenSession, Send<Action>) async throws -> Void
  ) -> Effect {
    .run(name: name) { send in
      @Dependency(\.background?.session) var session
      guard let session else { return impossible("the app gives effects a session") }
      do {
        try await Interruption.heeding { try await body(session, send) }
      } catch {
        if let action = failure(Trouble.sentence(for: error)) { await send(action) }
      }
    }
  }
}

extension Effect<DebuggerAction> {
  static func output(_ request: DebuggerOutput) -> Effect {
    .run(name: "output") { _ in
      @Dependency(\.background) var background
      background?.output(request)
    }
  }
}
