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
  ) async -> StoreTask {
    let place = SourcePlace(fileID, filePath, line)
    await settle()
    reportWaiting(at: place)
    var expectation = recorder.withTimeline { timeline in
      timeline.statement = place
      timeline.isSending = true
      return StateExpectation(
        before: timeline.asserted, after: timeline.asserted, exhaustivity: timeline.exhaustivity)
    }
    let task = store.send(action, fileID: fileID, filePath: filePath, line: line)
    keep(task)
    expectation.after = recorder.withTimeline { timeline in
      timeline.asserted = timeline.sent ?? timeline.latest
      timeline.sent = nil
      return timeline.asserted
    }
    check(&expectation, assert, place)
    await settle()
    return task
  }

  private func reportWaiting(at place: SourcePlace) {
    let (received, kind) = recorder.withTimeline { timeline in
      (timeline.takeReceived().map(\.action), timeline.exhaustivity.kindOfSkipped)
    }
    guard !received.isEmpty, let kind else { return }
    recorder.report(
      kind == .failure ? TestStoreText.waiting(received) : TestStoreText.skipped(received),
      kind: kind, at: place)
  }

  func check(
    _ expectation: inout StateExpectation<State>, _ assert: ((inout State) throws -> Void)?,
    _ place: SourcePlace
  ) {
    guard let finding = expectation.finding(assert) else { return }
    recorder.report(finding.message, kind: finding.kind, at: place)
  }
}
