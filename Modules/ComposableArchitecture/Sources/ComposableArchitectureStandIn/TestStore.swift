#if canImport(Testing)
  import Testing
#endif

/// `TestStore.swift`: what reducers send is reduced at once, and the test receives it with the state after.
@MainActor public final class TestStore<State: Equatable, Action> {
  public enum Exhaustivity { case on, off }

  public var exhaustivity = Exhaustivity.on
  /// The state that the test has received.
  public private(set) var state: State
  private let store: Store<State, Action>
  private let dependencies: DependencyValues
  private let changes = SharedChangeTracker()
  private let reduced: Reduced

  /// The actions that the test has not asserted, each with the state after it.
  ///
  /// `@unchecked Sendable`: the store reduces on the main actor.
  private final class Reduced: @unchecked Sendable {
    var steps: [(action: Action, state: State)] = []
  }

  /// Where a test calls.
  private struct Place {
    let fileID, filePath: StaticString
    let line, column: UInt
  }

  private struct Observed: Reducer {
    let base: any Reducer<State, Action>
    let reduced: Reduced

    func _reduce(into state: inout State, action: Action) -> Effect<Action> {
      let effect = base._reduce(into: &state, action: action)
      reduced.steps.append((action, state))
      return effect
    }
  }

  public init(
    initialState: @autoclosure () -> State, reducer: () -> some Reducer<State, Action>,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in }
  ) {
    var dependencies = DependencyValues._current
    prepareDependencies(&dependencies)
    dependencies.sharedChanges = changes
    let first = DependencyValues.$_current.withValue(dependencies) { initialState() }
    let (reduced, own) = (Reduced(), dependencies)
    (self.dependencies, self.reduced, state) = (dependencies, reduced, first)
    store = DependencyValues.$_current.withValue(dependencies) {
      Store(initialState: first) {
        Observed(base: reducer(), reduced: reduced)
      } withDependencies: {
        $0 = own
      }
    }
  }

  public func send(
    _ action: Action, assert change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, file filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if !reduced.steps.isEmpty {
      if exhaustivity == .on {
        report("Must handle received actions before sending an action.", place)
      }
      take(reduced.steps.count)
    }
    let before = state
    store.send(action)
    guard !reduced.steps.isEmpty else { return }
    take(1)
    match(before, change, place)
  }

  public func receive(
    _ isMatching: (Action) -> Bool, assert change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, file filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if exhaustivity == .off {
      take(reduced.steps.firstIndex { isMatching($0.action) } ?? 0)
    }
    guard let next = reduced.steps.first else {
      return report("Expected to receive an action, but received none.", place)
    }
    if !isMatching(next.action) {
      report("Received unexpected action: \(next.action)", place)
    }
    let before = state
    take(1)
    match(before, change, place)
  }

  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, file filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if strict, reduced.steps.isEmpty { report("There were no received actions.", place) }
    take(reduced.steps.count)
  }

  /// The library fails at the end of the store if actions are left.
  public func skipInFlightEffects(
    strict _: Bool = true,
    fileID: StaticString = #fileID, file filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    guard exhaustivity == .on, !reduced.steps.isEmpty else { return }
    report("The store received \(reduced.steps.count) unexpected actions.", place)
  }

  private func take(_ count: Int) {
    guard count > 0 else { return }
    state = reduced.steps[count - 1].state
    reduced.steps.removeFirst(count)
  }

  private func match(
    _ before: State, _ change: ((inout State) throws -> Void)?, _ place: Place
  ) {
    SharedChangeTracker.$asserting.withValue(changes) {
      let hasSharedChanges = changes.hasChanges
      if exhaustivity == .off { changes.reset() }
      var expected = exhaustivity == .on ? before : state
      do {
        try DependencyValues.$_current.withValue(dependencies) { try change?(&expected) }
      } catch {
        report("Threw error: \(error)", place)
      }
      if expected != state {
        report(
          change == nil
            ? "State was not expected to change, but a change occurred: \(before) → \(state)"
            : "A state change does not match expectation: \(expected) → \(state)", place)
      } else if change != nil, exhaustivity == .on, !hasSharedChanges, expected == before {
        report("Expected state to change, but no change occurred.", place)
      }
      changes.reset()
    }
  }

  private func report(_ message: String, _ place: Place) {
    #if canImport(Testing)
      let location = SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
        column: Int(place.column))
      Issue.record(Comment(rawValue: message), sourceLocation: location)
    #else
      preconditionFailure("\(place.filePath):\(place.line): \(message)")
    #endif
  }
}

extension TestStore where Action: Equatable {
  public func receive(
    _ action: Action, assert change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, file filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      { $0 == action }, assert: change, fileID: fileID, file: filePath, line: line, column: column
    )
  }
}
