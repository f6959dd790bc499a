import Platform

/// The context of a running reducer: the id counts of stacks, and the shared values. The machine
/// keeps the remainder in its state, so that a copy of the machine is a checkpoint.
///
/// `@unchecked Sendable`: the contents are behind the lock.
final class StepRecorder: @unchecked Sendable {
  struct Contents: Sendable {
    /// Nil if stacks count for themselves: in a first state, and in test expectations.
    var stacks: StackCounts?
    var shared = SharedValues()
  }

  let places = SharedPlaces()
  // Every action passes here, so without closures and exclusivity checks.
  private let lock = Lock()
  @exclusivity(unchecked) private var contents: Contents?

  func begin(_ new: Contents) {
    lock.lock()
    contents = new
    lock.unlock()
  }

  func end() -> Contents {
    lock.lock()
    defer { lock.unlock() }
    return contents.take() ?? Contents()
  }

  var stacks: StackCounts? { lock.withLock { contents?.stacks ?? nil } }

  func record(_ stacks: StackCounts) { lock.withLock { contents?.stacks?.merge(stacks) } }

  func withShared<Result>(_ work: (inout SharedValues) -> Result) -> Result? {
    lock.withLock { contents == nil ? nil : work(&contents!.shared) }
  }
}

struct CarriedContents: Sendable {
  private var stacks = StackCounts()
  private let places: SharedPlaces?
  private(set) var hasChangedFiles = false
  private var changedFiles: [SharedValues.File] = []

  init<State>(_ initial: inout State) {
    let places = DependencyValues.dependencyScope.values.stepDesk?.places ?? SharedPlaces()
    self.places = places.areIn(State.self) ? places : nil
    places.reportHidden(in: State.self)
    stacks.merge(allIn: initial)
    guard let places = self.places else { return }
    var shared = SharedValues(first: &initial, places)
    shared.settleFirst(&initial, places)
  }

  mutating func around<State, Action>(
    _ state: inout State, _ reduce: (inout State, Action) -> Effect<Action>, _ action: Action
  ) -> Effect<Action> {
    guard let recorder = DependencyValues.dependencyScope.values.stepDesk else {
      return reduce(&state, action)
    }
    var contents = StepRecorder.Contents(stacks: stacks)
    if let places { contents.shared = SharedValues(in: &state, places) }
    recorder.begin(contents)
    let effect = reduce(&state, action)
    contents = recorder.end()
    stacks = contents.stacks ?? stacks
    guard let places else { return effect }
    contents.shared.settle(&state, places)
    changedFiles += contents.shared.changedFiles
    hasChangedFiles = !changedFiles.isEmpty
    return effect
  }

  mutating func takeChangedFiles() -> [SharedValues.File] {
    hasChangedFiles = false
    return exchange(&changedFiles, with: [])
  }
}

extension DependencyValues {
  /// Makes a store's first state, with shared values numbered as in every other store.
  package func makingState<Result>(_ make: () -> Result) -> Result {
    run {
      stepDesk?.begin(StepRecorder.Contents())
      defer { _ = stepDesk?.end() }
      return make()
    }
  }

  /// Changes a state as a reducer would, with its shared values.
  package func changing<State>(
    _ state: inout State, _ change: (inout State) throws -> Void
  ) rethrows {
    guard let recorder = stepDesk, recorder.places.areIn(State.self) else {
      return try change(&state)
    }
    recorder.begin(StepRecorder.Contents(shared: SharedValues(in: &state, recorder.places)))
    defer { recorder.end().shared.settle(&state, recorder.places) }
    try change(&state)
  }
}
