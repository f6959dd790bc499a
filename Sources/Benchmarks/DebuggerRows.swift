import Debugger
import Platform
import Samples
import SessionFile
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

  /// A million steps: what comes of one key, on the screen and behind it.
  static func rows(_ log: LargeLog) throws -> [Row] {
    let session = OpenSession(SessionRecording(try SessionReader(path: log.path)))
    let hide = "Fhide label == 'quantityChanged'"
    return [
      Row(
        "a filter, 1,000,000 steps: to the first frame that is right", bar: .atMost(33e-3),
        .measured("what is seen is filtered", unit: .seconds) {
          await filtering(session, hide, until: { $0.frame.text.contains(" hidden") })
        }, samples: 3),
      Row(
        "a filter, 1,000,000 steps: all of it", bar: .atMost(2),
        .measured("the last step is filtered", unit: .seconds) {
          await filtering(session, hide, until: nil)
        }, samples: 3),
      Row(
        "a watched value, 1,000,000 steps: to the first frame that has it", bar: .atMost(33e-3),
        .measured("what is seen has its values", unit: .seconds) {
          await filtering(session, ":watch total", until: { $0.frame.text.contains(" 19│") })
        }, samples: 3),
      Row(
        "a watched value that every step changes, 1,000,000 steps: all of it", bar: .atMost(2),
        .measured("the last step is in the picture", unit: .seconds) {
          await filtering(session, ":watch total", until: nil)
        }, samples: 3),
      Row(
        "runs of alike steps folded, 1,000,000 steps: all of them", bar: .atMost(2),
        .measured("the last step has its row", unit: .seconds) {
          await filtering(session, "Fruns", until: nil)
        }, samples: 3),
    ]
  }

  /// From Enter behind what was typed to a frame, or else to the end of all work.
  private static func filtering(
    _ session: OpenSession, _ typed: String, until isThere: ((DebuggerApp) -> Bool)?
  ) async -> Double {
    let app = DebuggerApp(
      session: session, size: Size(width: 120, height: 40), output: { _ in }, onChange: {})
    await app.start().finish()
    for key in typed { await app.handle(.key(.character(key))).finish() }
    let clock = ContinuousClock()
    let start = clock.now
    let work = app.handle(.key(.enter))
    if let isThere {
      while !isThere(app) { await Task.yield() }
    } else {
      await work.finish()
      keep(app.frame)
    }
    let seconds = (clock.now - start).inSeconds
    await work.finish()
    return seconds
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
