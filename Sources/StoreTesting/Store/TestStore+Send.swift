import StoreCore

extension TestStore {
  /// Sends an action as a user would.
  ///
  /// `assert` gets the state before and makes it equal to the state after; it is left out where
  /// nothing is expected to change. The task that comes back lasts as long as the effects.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    let place = SourcePlace(fileID, filePath, line)
    await settle()
    guard !isDismissed else {
      recorder.report(TestStoreText.dismissed, at: place)
      return makeTask(nil)
    }
    reportWaiting(at: place)
    var expectation = recorder.withTimeline { timeline in
      timeline.statement = place
      timeline.isSending = true
      return StateExpectation(
        before: timeline.asserted, after: timeline.asserted, exhaustivity: timeline.exhaustivity)
    }
    let task = store.send(action, fileID: fileID, filePath: filePath, line: line)
    let sent = recorder.withTimeline { timeline in
      defer { timeline.sent = nil }
      return timeline.sent ?? Timeline.Sent(state: timeline.latest)
    }
    expectation.after = sent.state
    check(&expectation, assert, place, with: sent.generators)
    recorder.withTimeline { $0.asserted = sent.state }
    await settle()
    return makeTask(task)
  }

  /// Expects the state to be as the closure makes it, without anything being sent.
  public func assert(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: (inout State) throws -> Void
  ) {
    let place = SourcePlace(fileID, filePath, line)
    let (state, exhaustivity) = recorder.withTimeline { timeline in
      timeline.statement = place
      return (timeline.asserted, timeline.exhaustivity == .on ? .off : timeline.exhaustivity)
    }
    var expectation = StateExpectation(before: state, after: state, exhaustivity: exhaustivity)
    withoutActuallyEscaping(assert) { check(&expectation, $0, place, with: nil) }
  }

  private func makeTask(_ task: StoreTask?) -> TestStoreTask {
    TestStoreTask(task: task) { [weak self] timeout, root in
      guard let self else { return [] }
      await wait(for: timeout) { !$0.isRunning(root: root) }
      return running().filter { $0.effect.rootStep == root }.map(\.text)
    } settle: { [weak self] in
      await self?.settle()
    } report: { [recorder] message, place in
      recorder.report(message, at: place)
    }
  }

  /// The effects in flight, and what they wait for.
  func running() -> [(effect: StoreEffect, text: String)] {
    recorder.withTimeline { $0.running }.map { effect in
      let wait = store.waitText(effect: effect.number).map { ". \($0)" } ?? ""
      return (effect, TestStoreText.name(effect) + wait)
    }
  }

  private func reportWaiting(at place: SourcePlace) {
    let (received, kind) = recorder.withTimeline { timeline in
      (timeline.leaveReceived().map(\.action), timeline.exhaustivity.kindOfSkipped)
    }
    guard !received.isEmpty, let kind else { return }
    recorder.report(
      kind == .failure ? TestStoreText.waiting(received) : TestStoreText.skipped(received),
      kind: kind, at: place)
  }

  /// The closure runs where the dependencies of the store are in force, and ids and random numbers
  /// go on as they did for the reducer.
  func check(
    _ expectation: inout StateExpectation<State>, _ assert: ((inout State) throws -> Void)?,
    _ place: SourcePlace, with generators: TestGenerators?
  ) {
    var values = dependencies
    values.prepare { generators?.put(into: &$0) }
    values.isAsserting = true
    guard let finding = values.run({ expectation.finding(assert) }) else { return }
    recorder.report(finding.message, kind: finding.kind, at: place)
  }
}
