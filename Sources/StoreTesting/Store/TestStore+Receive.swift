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
    let before = state
    switch recorder.withTimeline({ $0.take(pattern, at: place) }) {
    case .found(let received, let skipped):
      reportSkipped(skipped, exhaustivity, at: place)
      var expectation = StateExpectation(
        before: skipped.last?.state ?? before, after: received.state, exhaustivity: exhaustivity)
      check(&expectation, assert, place)
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
    recorder.report(TestStoreText.skipped(skipped.map(\.action)), kind: kind, at: place)
  }
}

extension TestTimeline {
  /// What came of waiting for an action.
  fileprivate enum Answer {
    case found(Received, skipped: [Received])
    case other(Received)
    case none(waiting: [Action], running: [StoreEffect])
  }

  /// Exhaustive tests take what comes next; others look for what they ask for.
  fileprivate func hasReceived(_ pattern: ActionPattern<Action>) -> Bool {
    switch exhaustivity {
    case .on: !received.isEmpty
    case .off: received.contains { pattern.matches($0.action) }
    }
  }

  fileprivate mutating func take(_ pattern: ActionPattern<Action>, at place: SourcePlace) -> Answer
  {
    statement = place
    let index: Int?
    switch exhaustivity {
    case .on: index = received.isEmpty ? nil : 0
    case .off: index = received.firstIndex { pattern.matches($0.action) }
    }
    guard let index else { return .none(waiting: received.map(\.action), running: running) }
    let skipped = Array(received[..<index])
    let taken = received[index]
    received.removeFirst(index + 1)
    asserted = taken.state
    return pattern.matches(taken.action) ? .found(taken, skipped: skipped) : .other(taken)
  }
}
