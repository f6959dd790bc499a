import ComposableArchitecture
import SessionLog
import Synchronization

/// The effects that reducers make in one step.
///
/// `@unchecked Sendable`: only the thread that reduces touches what changes.
final class SeenEffects: @unchecked Sendable {
  @TaskLocal static var current: SeenEffects?
  /// The effect whose body runs here.
  @TaskLocal static var running: Int?

  /// Nil where a session is run again: then no body runs.
  let desk: RecordingDesk?
  private(set) var runs: [SeenRun] = []
  var hasSends = false

  init(_ desk: RecordingDesk?) { self.desk = desk }

  func whileReducing<Result>(_ dependencies: TapedDependencies, _ reduce: () -> Result) -> Result {
    Self.$current.withValue(self) {
      withDependencies {
        dependencies.put(into: &$0)
      } operation: {
        reduce()
      }
    }
  }

  func begin(_ name: String?, _ fileID: StaticString, _ line: UInt) -> SeenRun {
    let number = desk?.newEffect() ?? runs.count + 1
    let origin = EffectOrigin(
      step: 0, name: name, file: "\(fileID)", line: Int(line), ordinal: runs.count + 1)
    let run = SeenRun(desk: desk, number: number, origin: origin)
    runs.append(run)
    return run
  }

  /// The newest effect can be cancelled by this id.
  func name(_ id: some Hashable) {
    guard let run = runs.last, run.origin.cancelID == nil else { return }
    run.origin.cancelID = "\(type(of: id))(\(id))"
  }
}

/// An effect that a reducer made with `run`.
///
/// `@unchecked Sendable`: `origin` changes while its reducer runs only.
final class SeenRun: @unchecked Sendable {
  let desk: RecordingDesk?
  let number: Int
  var origin: EffectOrigin
  private let isOver = Atomic(false)

  init(desk: RecordingDesk?, number: Int, origin: EffectOrigin) {
    self.desk = desk
    self.number = number
    self.origin = origin
  }

  func perform<Action>(
    _ send: ComposableArchitecture.Send<Action>,
    _ operation: @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    _ handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)?
  ) async throws {
    guard let recorder = desk?.recorder else { return }
    try await SeenEffects.$running.withValue(number) {
      try await withTaskCancellationHandler {
        try await recorder.effect(isolation: nil, number) {
          do {
            try await operation(send)
          } catch {
            if error is CancellationError || Task.isCancelled { return end(.cancelled) }
            guard let handler else {
              end(.failed("\(error)"))
              throw error
            }
            await handler(error, send)
          }
          end(.finished)
        }
      } onCancel: {
        end(.cancelled)
      }
    }
  }

  private func end(_ kind: EffectEvent.Kind) {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    desk?.recorder.effectChanged(number, kind, fromOutside: false)
  }
}

/// Swift prefers these to the originals, because they ask for more.
extension ComposableArchitecture.Effect where Action: Sendable {
  public static func run(
    priority: TaskPriority? = nil, name: String? = nil,
    operation: @escaping @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)? =
      nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    guard let run = SeenEffects.current?.begin(name, fileID, line) else {
      return .originalRun(priority, name, operation, handler, (fileID, filePath, line, column))
    }
    let seen = { @Sendable (send: ComposableArchitecture.Send<Action>) in
      try await run.perform(send, operation, handler)
    }
    return originalRun(priority, name, seen, nil, (fileID, filePath, line, column)).map { action in
      run.desk?.isSending(run.number)
      return action
    }
  }

  public static func send(_ action: Action) -> Self {
    SeenEffects.current?.hasSends = true
    return originalSend(action)
  }

  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    SeenEffects.current?.name(id)
    return originalCancellable(id, cancelInFlight)
  }
}

extension ComposableArchitecture.Effect {
  fileprivate static func originalRun(
    _ priority: TaskPriority?, _ name: String?,
    _ operation: @escaping @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    _ handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)?,
    _ place: (fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)
  ) -> Self {
    run(
      priority: priority, name: name, operation: operation, catch: handler, fileID: place.fileID,
      filePath: place.filePath, line: place.line, column: place.column)
  }

  fileprivate static func originalSend(_ action: Action) -> Self { send(action) }

  fileprivate func originalCancellable(
    _ id: some Hashable & Sendable, _ cancelInFlight: Bool
  ) -> Self {
    cancellable(id: id, cancelInFlight: cancelInFlight)
  }
}
