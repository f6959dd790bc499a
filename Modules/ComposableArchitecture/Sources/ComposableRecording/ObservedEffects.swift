import ComposableArchitecture
import SessionLog
import Synchronization
import ValueTree

#if canImport(Combine)
  import Combine
#endif

/// The effects that reducers make in one step.
///
/// `@unchecked Sendable`: only the thread that reduces or tries out effects touches unlocked parts.
final class ObservedEffects: @unchecked Sendable {
  @TaskLocal static var current: ObservedEffects?
  /// The effect whose body runs here.
  @TaskLocal static var running: EffectID?

  /// Nil in a re-run, where no body runs.
  let adapter: AdapterRecorder?
  /// In a test without bodies.
  let byHand: EffectsByHand?
  private(set) var runs: [ObservedRun] = []
  private(set) var sendCount = 0
  private(set) var hasPublisher = false
  /// By send, in steps where an effect's action can come before it: an effect that ends where the send
  /// comes. On tape, because only the recording knows.
  private(set) var placeMarks: [Int: ObservedRun] = [:]
  static let marksKey = "sendsMarked"
  /// In a re-run: the runs that end as soon as they begin, and the last sent action.
  var ended: Set<EffectID> = []
  var lastSend: Int?
  /// In a re-run: what a run's body sends, the run of the last sent action, and the runs that the library
  /// cancels.
  var emitted: [EffectID: Any] = [:]
  var lastRun: EffectID?
  var noteCancelled: (EffectID) -> Void = { _ in }
  /// In a re-run: the places of the running effects that the step cancelled; nil if unknown.
  var cancelled: Set<Int>? = []
  /// In a re-run: the shared values that the effects hold; nil without any.
  var sharedNow: (() -> [Value?])?
  /// In a re-run: subscribes to the step's effect, with a receiver of its actions.
  var subscribe: ((_ receive: @escaping (Any) -> Void) -> AnyCancellable)?
  private let unsent = Mutex(Unsent())

  /// An action chained to a run follows its end in the file, so the ends wait for it.
  private struct Unsent: Sendable {
    var count = 0
    var ends: [@Sendable () -> Void] = []
  }

  init(_ adapter: AdapterRecorder?, byHand: EffectsByHand? = nil) {
    (self.adapter, self.byHand) = (adapter, byHand)
  }

  func whileReducing<Result>(_ dependencies: TapedDependencies, _ reduce: () -> Result) -> Result {
    Self.$current.withValue(self) {
      withDependencies {
        dependencies.put(into: &$0)
      } operation: {
        reduce()
      }
    }
  }

  func beginPublisher() -> ObservedRun {
    hasPublisher = true
    return begin(nil, "", 0)
  }

  func markSends() {
    for number in 0..<sendCount { placeMarks[number + 1] = begin("send", "", 0) }
  }

  func begin(_ name: String?, _ fileID: StaticString, _ line: UInt) -> ObservedRun {
    let number = adapter?.newEffect() ?? EffectID(runs.count + 1)
    let origin = EffectOrigin(
      step: 0, name: name, file: "\(fileID)", line: Int(line), ordinal: runs.count + 1)
    let run = ObservedRun(step: self, number: number, origin: origin)
    runs.append(run)
    return run
  }

  func beginSend() -> Int {
    sendCount += 1
    unsent.withLock { $0.count += 1 }
    return sendCount
  }

  func isSending(_ number: Int) {
    lastSend = number
    let ends = unsent.withLock { unsent in
      unsent.count -= 1
      defer { unsent.ends = [] }
      return unsent.ends
    }
    for end in ends { adapter?.atEnd(end) }
    placeMarks[number]?.endBeforeSend()
    adapter?.isSending(.reducer)
  }

  func atEnd(_ end: @escaping @Sendable () -> Void) {
    let waits = unsent.withLock { unsent in
      if unsent.count > 0 { unsent.ends.append(end) }
      return unsent.count > 0
    }
    if !waits { adapter?.atEnd(end) }
  }

  /// Lets this id cancel the newest effect.
  func name(_ id: some Hashable) {
    guard let run = runs.last, run.origin.cancelID == nil else { return }
    run.origin.cancelID = "\(type(of: id))(\(id))"
  }
}

/// An effect that a reducer made with `run` or `publisher`.
///
/// `@unchecked Sendable`: `origin` changes only while its reducer runs.
final class ObservedRun: @unchecked Sendable {
  let step: ObservedEffects
  let number: EffectID
  var origin: EffectOrigin
  private let isOver = Atomic(false)
  /// In a re-run: the body. It sends the actions of its own feature.
  var body: (@Sendable (_ send: @escaping @Sendable (Any) -> Void) async throws -> Void)?
  var adapter: AdapterRecorder? { step.adapter }

  init(step: ObservedEffects, number: EffectID, origin: EffectOrigin) {
    self.step = step
    self.number = number
    self.origin = origin
  }

  func perform<Action>(
    _ send: ComposableArchitecture.Send<Action>,
    _ operation: @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    _ handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)?
  ) async throws {
    guard let recorder = adapter?.recorder else { return }
    try await ObservedEffects.$running.withValue(number) {
      try await withTaskCancellationHandler {
        try await recorder.effect(isolation: nil, number) {
          do {
            try await operation(send)
          } catch {
            if error is CancellationError || Task.isCancelled { return end(.cancelled) }
            guard let handler else {
              await endBetweenTurns(.failed("\(error)"))
              throw error
            }
            await handler(error, send)
          }
          await endBetweenTurns(.finished)
        }
      } onCancel: {
        end(.cancelled)
      }
    }
  }

  /// The store reduces a turn on the main actor without a pause, so no end falls into one.
  @MainActor private func endBetweenTurns(_ kind: EffectEvent.Kind) { end(kind) }

  func end(_ kind: EffectEvent.Kind) {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    // A cancelled effect can send nothing more.
    if kind == .cancelled { report(kind) } else { step.atEnd { [self] in report(kind) } }
  }

  /// Of a mark, right before what it marks.
  func endBeforeSend() { adapter?.atEnd { [self] in report(.finished) } }

  private func report(_ kind: EffectEvent.Kind) {
    _ = adapter?.recorder.effectChanged(number, kind, fromOutside: false)
  }

  /// A substitute in a re-run: sends what its body sends on the tape, and ends on request.
  func silent<Action>() -> ComposableArchitecture.Effect<Action> {
    let name = origin.name ?? origin.file.split(separator: "/").last.map(String.init) ?? ""
    let place = step.byHand?.start(name)
    return .originalPublisher {
      Deferred { [step, number] () -> AnyPublisher<Action, Never> in
        guard let action = step.emitted[number] as? Action else {
          return Empty(completeImmediately: step.ended.contains(number))
            .handleEvents(receiveCancel: {
              step.noteCancelled(number)
              place.map { step.byHand?.cancel(name, $0) }
            })
            .eraseToAnyPublisher()
        }
        return CurrentValueSubject<Action, Never>(action)
          .map { action in
            step.lastRun = number
            return action
          }.eraseToAnyPublisher()
      }
    }
  }
}

/// Swift prefers these to the originals, because they are more constrained.
extension ComposableArchitecture.Effect where Action: Sendable {
  public static func run(
    priority: TaskPriority? = nil, name: String? = nil,
    operation: @escaping @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)? =
      nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    guard let run = ObservedEffects.current?.begin(name, fileID, line) else {
      return .originalRun(priority, name, operation, handler, (fileID, filePath, line, column))
    }
    if run.adapter == nil {
      run.capture(operation, handler)
      return run.silent()
    }
    let seen = { @Sendable (send: ComposableArchitecture.Send<Action>) in
      try await run.perform(send, operation, handler)
    }
    return originalRun(priority, name, seen, nil, (fileID, filePath, line, column)).map { action in
      run.adapter?.isSending(.effect(run.number))
      return action
    }
  }

  public static func send(_ action: Action) -> Self {
    guard let seen = ObservedEffects.current else { return originalSend(action) }
    let number = seen.beginSend()
    return originalSend(action).map { action in
      seen.isSending(number)
      return action
    }
  }

  /// Delivers on the main thread like the store, because the order shows who sent an action.
  public static func publisher(
    _ createPublisher: () -> some Publisher<Action, Never>
  ) -> Self {
    guard let run = ObservedEffects.current?.beginPublisher() else {
      return originalPublisher(createPublisher)
    }
    if run.adapter == nil { return run.silent() }
    return originalPublisher {
      createPublisher().receive(on: UIScheduler.shared)
        .handleEvents(
          receiveCompletion: { _ in run.end(.finished) }, receiveCancel: { run.end(.cancelled) }
        )
        .map { action in
          run.adapter?.isSending(.effect(run.number))
          return action
        }
    }
  }

  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    ObservedEffects.current?.name(id)
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

  fileprivate static func originalPublisher(
    _ createPublisher: () -> some Publisher<Action, Never>
  ) -> Self {
    publisher(createPublisher)
  }

  fileprivate func originalCancellable(
    _ id: some Hashable & Sendable, _ cancelInFlight: Bool
  ) -> Self {
    cancellable(id: id, cancelInFlight: cancelInFlight)
  }
}
