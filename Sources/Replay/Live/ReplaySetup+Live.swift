import SessionFile
import SessionWords

extension ReplaySetup {
  /// Runs one effect of a branch live: its body, once, with the live dependencies and all that they
  /// do in the world. Nothing else ever runs the body of an effect.
  ///
  /// ```swift
  /// let live = try await setup.runLive(effect: 12, of: [script], in: session)
  /// script.edits += live.edits(after: 812)
  /// ```
  ///
  /// With these edits the branch does the same whenever it is run again, and the body does not run.
  /// What comes of it is *assumed*: it is an answer of today.
  public func runLive(
    effect: Int, of scripts: [Script], in session: SessionReader,
    limits: LiveLimits = LiveLimits()
  ) async throws -> LiveRun {
    let body = try SessionReplay(session, self).liveBody(of: effect, in: scripts)
    return try await body.run(limits, isCancelled: { Task.isCancelled })
  }
}

extension SessionReplay {
  /// The same for who has a thread of its own: waits until the effect ends or is stopped.
  package func runLive(
    effect: Int, of scripts: [Script], limits: LiveLimits = LiveLimits(),
    control: RunControl = RunControl()
  ) throws -> LiveRun {
    let body = try liveBody(of: effect, in: scripts, control: control)
    let result = LiveResult()
    Task {
      do {
        result.set(.success(try await body.run(limits, isCancelled: control.isCancelled)))
      } catch {
        result.set(.failure(error))
      }
    }
    return try result.wait().get()
  }
}
