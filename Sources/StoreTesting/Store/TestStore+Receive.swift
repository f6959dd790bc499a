import StoreCore

extension TestStore {
  /// Expects that this action was or will be sent by an effect or a reducer.
  public nonisolated(nonsending) func receive(
    _ action: Action, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async where Action: Equatable {
    await receive(
      .value(action), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects that an action that fits the pattern was or will be sent by an effect or a reducer.
  ///
  /// It waits while an effect runs that could send it: until the effects have come to rest, and
  /// then for the timeout, because something outside may wake them.
  public nonisolated(nonsending) func receive(
    _ pattern: ActionPattern<Action>, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    let place = SourcePlace(fileID, filePath, line)
    await wait(for: timeout) { $0.hasReceived(pattern) }
    let exhaustivity = exhaustivity
    switch recorder.withTimeline({ $0.take(pattern, at: place) }) {
    case .found(let received, let skipped):
      reportSkipped(skipped, exhaustivity, at: place)
      var expectation = StateExpectation(
        before: received.before, after: received.state, exhaustivity: exhaustivity)
      check(&expectation, assert, place, with: received.generators)
      recorder.withTimeline { $0.asserted = received.state }
    case .late(let received):
      var expectation = StateExpectation(
        before: received.before, after: received.state, exhaustivity: exhaustivity)
      check(&expectation, assert, place, with: received.generators)
    case .other(let received):
      recorder.report(
        TestStoreText.unexpected(received.action, insteadOf: pattern.expected), at: place)
    case .none(let waiting, let running) where waiting.isEmpty:
      recorder.report(
        TestStoreText.notReceived(pattern.expected.text, within: timeout, running: running),
        at: place)
    case .none(let waiting, _):
      recorder.report(
        TestStoreText.noneAmong(pattern.expected.text, waiting), at: place)
    }
    await settle()
  }

  private func reportSkipped(
    _ skipped: [TestTimeline<State, Action>.Received], _ exhaustivity: Exhaustivity,
    at place: SourcePlace
  ) {
    guard !skipped.isEmpty, let kind = exhaustivity.kindOfSkipped else { return }
    recorder.report(
      kind == .failure
        ? TestStoreText.before(skipped.map(\.action))
        : TestStoreText.skipped(skipped.map(\.action)),
      kind: kind, at: place)
  }
}

extension TestTimeline {
  /// What came of waiting for an action.
  fileprivate enum Answer {
    case found(Received, skipped: [Received])
    /// One that should have been received before something was sent.
    case late(Received)
    case other(Received)
    case none(waiting: [Action], running: [StoreEffect])
  }

  /// Exhaustive tests take what comes next; others look for what they ask for.
  fileprivate func hasReceived(_ pattern: ActionPattern<Action>) -> Bool {
    switch exhaustivity {
    case .on: !received.isEmpty || overdue.contains { pattern.matches($0.action) }
    case .off: received.contains { pattern.matches($0.action) }
    }
  }

  fileprivate mutating func take(_ pattern: ActionPattern<Action>, at place: SourcePlace) -> Answer
  {
    statement = place
    if let index = overdue.firstIndex(where: { pattern.matches($0.action) }) {
      return .late(overdue.remove(at: index))
    }
    if let index = received.firstIndex(where: { pattern.matches($0.action) }) {
      let skipped = Array(received[..<index])
      let taken = received[index]
      received.removeFirst(index + 1)
      asserted = taken.before
      return .found(taken, skipped: skipped)
    }
    guard exhaustivity == .on, !received.isEmpty else {
      return .none(waiting: received.map(\.action), running: running)
    }
    let other = received.removeFirst()
    asserted = other.state
    return .other(other)
  }
}
