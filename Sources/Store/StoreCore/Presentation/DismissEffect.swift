/// Lets a presented child dismiss itself.
///
/// ```swift
/// @Reducer struct Sheet {
///   enum Action { case cancelTapped }
///   @Dependency(\.dismiss) var dismiss
///
///   var body: some ReducerOf<Self> {
///     Reduce { _, _ in .run { [dismiss] _ in await dismiss() } }
///   }
/// }
/// ```
///
/// A test of the child alone can replace it: `$0.dismiss = DismissEffect { … }`.
public struct DismissEffect: Sendable {
  private let work: (@Sendable () async -> Void)?

  /// Creates an effect that dismisses the innermost presented feature.
  public init() { work = nil }

  package var isReplaced: Bool { work != nil }

  /// Creates a replacement.
  public init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  /// Dismisses the feature whose effect calls it; elsewhere it is an issue.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    if let work { return await work() }
    guard let dismissal = Dismissal.current else {
      let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
      reportIssue("A feature that nobody presents asked to be dismissed.", at: place)
      return
    }
    await dismissal.dismiss()
  }
}

struct Dismissal: Sendable {
  @TaskLocal static var current: Dismissal?

  let dismiss: @Sendable () async -> Void
}

private enum DismissKey: DependencyKey {
  static let liveValue = DismissEffect()
  static let testValue = DismissEffect()
}

private enum IsPresentedKey: DependencyKey {
  static let liveValue = false
  static let testValue = false
}

extension DependencyValues {
  /// Dismisses the feature that calls it. Call it inside an effect.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  /// Whether this feature is presented: by `ifLet` on a ``PresentationState``, or on a navigation
  /// stack.
  public var isPresented: Bool {
    get { self[IsPresentedKey.self] }
    set { self[IsPresentedKey.self] = newValue }
  }
}

/// Runs the reducer of a presented child, without the presenter's override of `dismiss`.
func presenting<Result>(_ work: () -> Result) -> Result {
  withDependencies {
    $0.dismiss = DismissEffect()
    $0.isPresented = true
  } operation: {
    work()
  }
}

extension EffectOperation {
  func presented<Parent>(
    as embed: @escaping @Sendable (Action) -> Parent, dismiss: Parent
  ) -> EffectOperation<Parent> {
    mapRuns({ $0.map(embed).dismissing(with: dismiss) }, send: embed)
  }
}

extension EffectRun {
  /// The innermost presented feature wraps first, so its dismissal is set last and wins.
  fileprivate func dismissing(with action: Action) -> EffectRun {
    var run = self
    run.body = { [body] send in
      try await Dismissal.$current.withValue(Dismissal { await send(action) }) {
        try await body(send)
      }
    }
    if let handler {
      run.handler = { error, send in
        await Dismissal.$current.withValue(Dismissal { await send(action) }) {
          await handler(error, send)
        }
      }
    }
    return run
  }
}
