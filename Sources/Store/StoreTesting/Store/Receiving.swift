import StoreCore

extension TestStore {
  /// Expects an action from an effect or a reducer, now or later.
  public nonisolated(nonsending) func receive(
    _ action: Action, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async where Action: Equatable {
    await receive(
      .value(action), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects a matching action from an effect or a reducer, now or later.
  ///
  /// It waits while effects could send it: until they rest, and then for the timeout, because
  /// something outside may wake them.
  public nonisolated(nonsending) func receive(
    _ pattern: ActionPattern<Action>, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    let place = SourcePlace(fileID, filePath, line)
    await wait(for: timeout) { $0.hasReceived(pattern) }
    let exhaustivity = exhaustivity
    switch recorder.withTimeline({ $0.removeReceived(pattern, at: place) }) {
    case .found(let received, let skipped, let isLate):
      reportSkipped(skipped, exhaustivity, at: place)
      var expectation = StateExpectation(
        before: received.before, after: received.state, exhaustivity: exhaustivity)
      check(&expectation, assert, place, with: received.generators)
      if !isLate { recorder.withTimeline { $0.asserted = received.state } }
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

  /// Expects an action that meets a condition, now or later.
  public nonisolated(nonsending) func receive(
    _ isExpected: @escaping @Sendable (Action) -> Bool, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .where { isExpected($0) }, timeout: timeout, fileID: fileID, filePath: filePath, line: line,
      assert)
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
  fileprivate enum Answer {
    /// A late action was due before an earlier send.
    case found(Received, skipped: [Received] = [], isLate: Bool = false)
    case other(Received)
    case none(waiting: [Action], running: [StoreEffect])
  }

  /// Exhaustive tests take the next action; others search.
  fileprivate func hasReceived(_ pattern: ActionPattern<Action>) -> Bool {
    switch exhaustivity {
    case .on: !received.isEmpty || overdue.contains { pattern.matches($0.action) }
    case .off: received.contains { pattern.matches($0.action) }
    }
  }

  fileprivate mutating func removeReceived(_ pattern: ActionPattern<Action>, at place: SourcePlace)
    -> Answer
  {
    statement = place
    if let index = overdue.firstIndex(where: { pattern.matches($0.action) }) {
      return .found(overdue.remove(at: index), isLate: true)
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

/// Test statements with case paths instead of actions: `\.form.saveTapped`.
extension TestStore where Action: CasePathable {
  /// Sends an action by its case path.
  @discardableResult
  public nonisolated(nonsending) func send<Value>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    await send(
      Action.allCasePaths[keyPath: path].embed(value), fileID: fileID, filePath: filePath,
      line: line, assert)
  }

  /// Sends an action by its case path.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ path: CaseKeyPath<Action, Void>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    await send(path, (), fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case with any payload.
  public nonisolated(nonsending) func receive<Value>(
    _ path: CaseKeyPath<Action, Value>, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .case(path), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case with this payload.
  public nonisolated(nonsending) func receive<Value: Equatable & Sendable>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .case(path, value), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }
}

extension TestStore {
  /// Waits for all effects to end. Fails if the time runs out, and for actions that were not
  /// received.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    recorder.withTimeline { $0.statement = SourcePlace(fileID, filePath, line) }
    await wait(for: timeout) { $0.inFlight.isEmpty }
    await settle()
    recorder.checkAtEnd()
  }

  /// Accepts all received actions. If `strict`, there must be some.
  public nonisolated(nonsending) func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    await skip("received actions", strict, SourcePlace(fileID, filePath, line)) { timeline in
      let received = timeline.takeReceived().map(\.action)
      return received.isEmpty ? nil : TestStoreText.skipped(received)
    }
  }

  /// Ignores all running effects from now on, except for their actions. If `strict`, there must be
  /// some.
  public nonisolated(nonsending) func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    await skip("running effects", strict, SourcePlace(fileID, filePath, line)) { timeline in
      let running = timeline.running
      timeline.inFlight = [:]
      return running.isEmpty
        ? nil : "Running effects were skipped:\n\n" + TestStoreText.list(running)
    }
  }

  /// `take` skips the leftovers and describes them, or returns nil.
  private nonisolated(nonsending) func skip(
    _ what: String, _ strict: Bool, _ place: SourcePlace,
    _ take: (inout Timeline) -> String?
  ) async {
    await settle()
    let (skipped, exhaustivity) = recorder.withTimeline { timeline in
      timeline.statement = place
      return (take(&timeline), timeline.exhaustivity)
    }
    if let skipped, exhaustivity == .off(showSkippedAssertions: true) {
      recorder.report(skipped, kind: .skipped, at: place)
    } else if skipped == nil, strict {
      recorder.report("There were no \(what) to skip.", at: place)
    }
  }

  /// Ignores these effects by name (see ``EffectSource``); fails if one of them is not running, or
  /// another is. Effects that only wait for a clock do not count.
  public nonisolated(nonsending) func skipInFlightEffects(
    _ names: [String],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    await settle()
    let running = recorder.withTimeline { $0.running }
    var others = running.filter { if case .work = $0.kind { true } else { false } }
    var missing: [String] = []
    for name in names {
      if let index = others.firstIndex(where: { EffectSource(name).names($0) }) {
        others.remove(at: index)
      } else {
        missing.append("− “\(name)” is not")
      }
    }
    let wrong = missing + others.map { "+ \($0.title) is" }
    if !wrong.isEmpty {
      recorder.report(
        "Other effects are in flight (− expected, + actual):\n\n" + wrong.joined(separator: "\n"),
        at: SourcePlace(fileID, filePath, line))
    }
    await skipInFlightEffects(strict: false, fileID: fileID, filePath: filePath, line: line)
  }

  /// Runs `operation` with another exhaustivity.
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, operation: () throws -> Result
  ) rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try operation()
  }

  /// Runs `operation` with another exhaustivity.
  public nonisolated(nonsending) func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try await operation()
  }
}
