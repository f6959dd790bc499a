import Platform

/// What a step of a machine has at hand while its reducer runs: how far the ids of stacks have been
/// given, and the shared values. The machine keeps what is left of it in its state, so that a copy of
/// the machine is a checkpoint.
///
/// `@unchecked Sendable`: the contents are touched only while the lock is held.
final class StepDesk: @unchecked Sendable {
  struct Contents: Sendable {
    /// Nil where stacks count for themselves: what a store begins with, and what a test expects.
    var stacks: StackCounts?
    var shared = SharedValues()
  }

  let places = SharedPlaces()
  // On the way of every action: no closures, and no looking whether somebody else has access.
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

  /// Nil while nobody reduces.
  var stacks: StackCounts? { lock.withLock { contents?.stacks ?? nil } }

  func note(_ stacks: StackCounts) { lock.withLock { contents?.stacks?.note(stacks) } }

  /// Nil while nobody reduces.
  func withShared<Result>(_ work: (inout SharedValues) -> Result) -> Result? {
    lock.withLock { contents == nil ? nil : work(&contents!.shared) }
  }
}

/// What a machine carries from desk to desk.
struct CarriedContents: Sendable {
  private var stacks = StackCounts()
  /// What knows where the state shares values; nil where it shares none.
  private let places: SharedPlaces?
  /// Whether a shared value that is kept in a file has changed.
  private(set) var hasChangedFiles = false
  private var changedFiles: [SharedValues.File] = []

  init<State>(_ initial: inout State) {
    let places = DependencyValues.scene.values.stepDesk?.places ?? SharedPlaces()
    self.places = places.areIn(State.self) ? places : nil
    places.tellHidden(in: State.self)
    stacks.note(allIn: initial)
    guard let places = self.places else { return }
    var shared = SharedValues(first: &initial, places)
    shared.settleFirst(&initial, places)
  }

  /// Runs a reducer with the contents on the desk, and takes them back.
  mutating func around<State, Action>(
    _ state: inout State, _ reduce: (inout State, Action) -> Effect<Action>, _ action: Action
  ) -> Effect<Action> {
    guard let desk = DependencyValues.scene.values.stepDesk else { return reduce(&state, action) }
    var contents = StepDesk.Contents(stacks: stacks)
    if let places { contents.shared = SharedValues(in: &state, places) }
    desk.begin(contents)
    let effect = reduce(&state, action)
    contents = desk.end()
    stacks = contents.stacks ?? stacks
    guard let places else { return effect }
    contents.shared.settle(&state, places)
    changedFiles += contents.shared.changedFiles
    hasChangedFiles = !changedFiles.isEmpty
    return effect
  }

  /// What is to be written into files since this was last asked.
  mutating func takeChangedFiles() -> [SharedValues.File] {
    hasChangedFiles = false
    return exchange(&changedFiles, with: [])
  }
}

extension DependencyValues {
  /// Makes the state that a store begins with, where the shared values in it are numbered as in
  /// every other store.
  package func makingState<Result>(_ make: () -> Result) -> Result {
    run {
      stepDesk?.begin(StepDesk.Contents())
      defer { _ = stepDesk?.end() }
      return make()
    }
  }

  /// Changes a state as a reducer would: what is shared in it is so for the closure.
  package func changing<State>(
    _ state: inout State, _ change: (inout State) throws -> Void
  ) rethrows {
    guard let desk = stepDesk, desk.places.areIn(State.self) else { return try change(&state) }
    desk.begin(StepDesk.Contents(shared: SharedValues(in: &state, desk.places)))
    defer { desk.end().shared.settle(&state, desk.places) }
    try change(&state)
  }
}
