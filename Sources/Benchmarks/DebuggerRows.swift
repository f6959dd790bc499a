import Debugger
import Platform
import Samples
import SessionLog
import TextCanvas
import TimeTravel

/// What a key costs in the debugger, without the terminal.
enum DebuggerRows {
  static let topic = Topic(name: "Debugger") {
    let file = TemporarySession()
    await WishesSample.recordDemo(to: file.path)
    let session = OpenSession(SessionRecording(try SessionReader(path: file.path)))
    return [
      Row(
        "one step down to its frame, Wishes at 120×40", bar: .atMost(2e-3),
        .measured("key and frame, median of 200", unit: .seconds) {
          await medianKey(in: session)
        }, samples: 3),
      Row(
        "one step down to its frame, Wishes at 200×60 with three panes", bar: .atMost(4e-3),
        .measured("key and frame, median of 200", unit: .seconds) {
          await medianKey(in: session, Size(width: 200, height: 60))
        }, samples: 3),
      Row(
        "opening to the settled first frame, Wishes at 120×40", bar: .atMost(50e-3),
        .timedAsync("open and print") {
          let reader = try SessionReader(path: file.path)
          keep(
            await DebuggerApp.print(
              OpenSession(SessionRecording(reader)), size: Size(width: 120, height: 40)))
        }),
    ]
  }

  /// Steps down and up through the session at a person's pace: what a key began in the background is
  /// done before the next one.
  private static func medianKey(
    in session: OpenSession, _ size: Size = Size(width: 120, height: 40)
  ) async -> Double {
    let app = DebuggerApp(session: session, size: size, output: { _ in }, onChange: {})
    await app.start().finish()
    let clock = ContinuousClock()
    let last = session.summary.steps.upperBound
    var costs: [Double] = []
    var isGoingDown = true
    for _ in 0..<200 {
      let here = app.state.here.step
      if here == last { isGoingDown = false }
      if here == session.summary.steps.lowerBound { isGoingDown = true }
      let start = clock.now
      let work = app.handle(.key(.character(isGoingDown ? "j" : "k")))
      keep(app.frame)
      costs.append((clock.now - start).inSeconds)
      await work.finish()
    }
    return costs.sorted()[100]
  }
}

/// A file that is removed with the rows that use it.
private final class TemporarySession {
  let path = "/tmp/retcon-bench-\(getpid()).retcon"
  deinit { unlink(path) }
}
