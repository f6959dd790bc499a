import Debugger
import Platform
import Samples
import SessionFile
import TextCanvas
import TimeTravel

/// The cost of keys in the debugger, without the terminal.
enum DebuggerRows {
  static let topic = Topic(name: "Debugger") { folder in
    let path = folder("wishes.retcon")
    await WishesSample.recordDemo(to: path)
    let session = OpenSession(SessionRecording(try SessionReader(path: path)))
    return [
      Row(
        "one step down to its frame, Wishes at 120×40", bar: .atMost(2e-3),
        .measured { await medianKey(in: session) }, samples: 3),
      Row(
        "one step down to its frame, Wishes at 200×60 with three panes", bar: .atMost(4e-3),
        .measured { await medianKey(in: session, Size(width: 200, height: 60)) }, samples: 3),
      Row(
        "opening to the settled first frame, Wishes at 120×40", bar: .atMost(50e-3),
        .timedAsync {
          let reader = try SessionReader(path: path)
          blackHole(
            await DebuggerApp.print(
              OpenSession(SessionRecording(reader)), size: Size(width: 120, height: 40)))
        }),
    ]
  }

  /// A million steps: the cost of one key, on the screen and behind it.
  static func rows(
    _ session: OpenSession, label: String, place: String, shown: String
  ) -> [Row] {
    let hide = "Fhide label == '\(label)'"
    func row(_ name: String, _ typed: String, until shown: String? = nil) -> Row {
      Row(
        name, bar: .atMost(shown == nil ? 2 : 33e-3),
        .measured { await filtering(session, typed, until: shown) }, samples: 3)
    }
    return [
      row(
        "a filter, 1,000,000 steps: to the first frame that is right", hide, until: " hidden"),
      row("a filter, 1,000,000 steps: all of it", hide),
      row(
        "a watched value, 1,000,000 steps: to the first frame that has it", ":watch \(place)",
        until: shown),
      row(
        "a watched value that every step changes, 1,000,000 steps: all of it", ":watch \(place)"),
      row("runs of alike steps folded, 1,000,000 steps: all of them", "Fruns"),
    ]
  }

  /// From Enter until a frame shows something, or until all work has ended.
  private static func filtering(
    _ session: OpenSession, _ typed: String, until shown: String?
  ) async -> Double {
    let app = DebuggerApp(
      session: session, size: Size(width: 120, height: 40), output: { _ in }, onChange: {})
    await app.start().finish()
    for key in typed { await app.handle(.key(.character(key))).finish() }
    let watch = Stopwatch()
    let work = app.handle(.key(.enter))
    if let shown {
      while !app.frame.text.contains(shown) { await Task.yield() }
    } else {
      await work.finish()
      blackHole(app.frame)
    }
    let seconds = watch.seconds
    await work.finish()
    return seconds
  }

  /// Steps down and up at a person's pace: waits for all background work of a key before the next.
  private static func medianKey(
    in session: OpenSession, _ size: Size = Size(width: 120, height: 40)
  ) async -> Double {
    let app = DebuggerApp(session: session, size: size, output: { _ in }, onChange: {})
    await app.start().finish()
    let last = session.summary.steps.upperBound
    var costs: [Double] = []
    var isGoingDown = true
    for _ in 0..<200 {
      let here = app.state.here.step
      if here == last { isGoingDown = false }
      if here == session.summary.steps.lowerBound { isGoingDown = true }
      let watch = Stopwatch()
      let work = app.handle(.key(.character(isGoingDown ? "j" : "k")))
      blackHole(app.frame)
      costs.append(watch.seconds)
      await work.finish()
    }
    return costs.sorted()[100]
  }
}
