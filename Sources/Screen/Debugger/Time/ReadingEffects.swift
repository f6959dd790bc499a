import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

extension Effect<DebuggerAction> {
  static func readSteps(_ pages: [StepPages.PageID]) -> Effect {
    .doing("read steps", orSend: { .said(Message($0, .failure)) }) { session, send in
      for page in pages {
        let rows = try session.rows(page.steps, of: page.branch)
        await send(.stepsRead(page, rows))
      }
    }
  }

  /// Reads a moment; if that takes noticeably long, says so first.
  static func readMoment(_ position: Position, comparedWith branch: BranchID? = nil) -> Effect {
    .doing("read moment", orSend: { .momentFailed(position, $0) }) { session, send in
      guard !Task.isCancelled else { return }
      // Cancelled and awaited at the end, so that no message comes after the result.
      async let _ = sayThatLate(position, send)
      await send(.momentRead(try await session.moment(at: position, comparedWith: branch)))
    }.cancellable(id: Background.Job.moment, cancelInFlight: true)
  }

  private static func sayThatLate(_ position: Position, _ send: Send<Action>) async {
    @Dependency(\.continuousClock) var clock
    guard (try? await clock.sleep(for: .milliseconds(120))) != nil, !Task.isCancelled else {
      return
    }
    await send(.momentIsLate(position))
  }

  /// Reads the moments that will probably be looked at next.
  static func readAhead(_ positions: [Position], comparedWith branch: BranchID? = nil) -> Effect {
    .doing("read ahead") { session, send in
      for position in positions {
        guard !Task.isCancelled else { return }
        // An unreadable step reports itself when you look at it.
        guard let moment = try? await session.moment(at: position, comparedWith: branch)
        else { continue }
        await send(.momentRead(moment))
      }
    }.cancellable(id: Background.Job.ahead, cancelInFlight: true)
  }

  static func readTimeline(_ extent: TimelineExtent) -> Effect {
    .doing("read timeline") { session, send in
      let density = try session.density(parts: 256, in: extent.zoom)
      let effects = try session.longestEffects(
        Timeline.laneLimit, in: extent.zoom, of: extent.branch)
      await send(.timelineRead(extent, density, effects))
    }.cancellable(id: Background.Job.timeline, cancelInFlight: true)
  }

  static func readSpan(_ span: StepSpan) -> Effect {
    .doing("read span") { session, send in
      await send(.spanRead(span, try await session.moment(at: span.last, since: span.first)))
    }.cancellable(id: Background.Job.span, cancelInFlight: true)
  }

  static func findEffects() -> Effect {
    .doing("find effects", orSend: { .said(Message($0, .warning)) }) { session, send in
      // Else following tells it, once the file is read whole.
      let isWhole = session.isScanned
      try await session.findEffects()
      if isWhole { await send(.effectsFound) }
    }
  }

  static func survey() -> Effect {
    .doing("survey") { session, send in await send(.surveyed(try await session.survey())) }
  }
}
