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
    switch recorder.withTimeline({ $0.takeReceived(pattern, at: place) }) {
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
    /// A late one should have been received before something was sent.
    case found(Received, skipped: [Received] = [], isLate: Bool = false)
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

  fileprivate mutating func takeReceived(_ pattern: ActionPattern<Action>, at place: SourcePlace)
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

/// The statements of a test with cases in the place of actions: `\.form.saveTapped`.
extension TestStore where Action: CasePathable {
  /// Sends the action of this case, as a user would.
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

  /// Sends the action of this case, as a user would.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ path: CaseKeyPath<Action, Void>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    await send(path, (), fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case, whatever it carries.
  public nonisolated(nonsending) func receive<Value>(
    _ path: CaseKeyPath<Action, Value>, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .case(path), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case that carries this value.
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
  /// Waits until no effect runs any more, and fails for effects that still do when the time is up,
  /// and for actions that were not received.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    recorder.withTimeline { $0.statement = SourcePlace(fileID, filePath, line) }
    await wait(for: timeout) { $0.inFlight.isEmpty }
    await settle()
    recorder.checkAtEnd()
  }

  /// Takes the received actions as if they were asserted. Where `strict`, there must be some.
  public nonisolated(nonsending) func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    await skip("received actions", strict, SourcePlace(fileID, filePath, line)) { timeline in
      let received = timeline.takeReceived().map(\.action)
      return received.isEmpty ? nil : TestStoreText.skipped(received)
    }
  }

  /// Goes on without the effects that run: nobody waits for their end, and none is told of. What
  /// they send is received all the same. Where `strict`, there must be some.
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

  /// `take` goes on without what is there, and says it in words; nil where there is nothing.
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

  /// Goes on without these effects, by the names that ``EffectSource`` has for them, and fails where one
  /// of them does not run or another does. What only waits for a clock is not asked about.
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
