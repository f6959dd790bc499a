import SessionFile
import StoreCore
import TestSupport
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("A recording that changes while it is looked at")
struct FollowingTests {
  // MARK: The reducer alone

  private func news(
    _ steps: ClosedRange<Int>, _ change: RecordingChange.Change = .grew, remark: String? = nil,
    isFinished: Bool = false, author: Int? = nil
  ) -> DebuggerAction {
    var summary = Wishes.recording.summary
    summary.position = author
    summary.steps = steps
    summary.isFinished = isFinished
    summary.notices = remark.map { [$0] } ?? []
    return .recordingChanged(
      RecordingChange(change: change, summary: summary, remark: remark), effects: [])
  }

  @Test("who stands at the end stays at the end; who stands elsewhere stays there")
  func cursor() {
    var atEnd = TestDebugger(at: 33)
    atEnd.send(news(0...40))
    #expect(atEnd.step == 40)
    #expect(atEnd.state.branch.steps == 0...40)
    var elsewhere = TestDebugger(at: 32)
    elsewhere.send(news(0...40))
    #expect(elsewhere.step == 32)
    elsewhere.type("G")
    #expect(elsewhere.step == 40)
  }

  @Test("an export that is read on shows where its author was, unless a key was pressed")
  func author() {
    var untouched = TestDebugger(at: 33)
    untouched.send(news(0...40, author: 45))
    untouched.send(news(0...60, author: 45))
    #expect(untouched.step == 45)
    untouched.send(news(0...70, author: 45))
    #expect(untouched.step == 45)
    var touched = TestDebugger(at: 33)
    touched.type("k")
    touched.send(news(0...60, author: 45))
    #expect(touched.step == 32)
  }

  @Test("once a session has ended, who watches its end goes to the newest of its name")
  func newestSession() {
    func all(_ names: String..., over: String? = nil) -> DebuggerAction {
      .sessionsListed(
        names.enumerated().map { index, name in
          AppSession(
            id: "\(index)", name: name, steps: 3, end: index == 0 ? over : nil)
        })
    }
    func debugger(at step: Int) -> TestDebugger {
      var debugger = TestDebugger(at: step)
      debugger.state.driving.session = "0"
      debugger.send(all("shop", "other", "shop"))
      return debugger
    }
    let newest = Effect<DebuggerAction>.output(.openSession("2", at: nil))
    var watching = debugger(at: 33)
    #expect(!watching.work.contains(newest))
    watching.send(all("shop", "other", over: "the page was left"))
    #expect(watching.message == "This session has ended: the page was left.")
    watching.send(all("shop", "other", "shop", over: "the page was left"))
    #expect(watching.work.contains(newest))
    var busy = debugger(at: 5)
    busy.send(all("shop", "other", "shop", over: "the page was left"))
    #expect(!busy.work.contains(newest))
    #expect(
      busy.message == "shop has a newer session, since the page was left: :sessions goes there.")
    busy.type(":sessions⏎")
    #expect(busy.lines(0..<24).contains { $0.contains("▸ shop  3 steps  ended: the page was") })
    busy.type("j⏎")
    #expect(busy.work.contains(.goToSession("1", from: Position(step: 5))))
    busy.send(.leavesForSession("1", at: 7))
    #expect(busy.work.contains(.output(.openSession("1", at: 7))))
  }

  @Test("nobody is moved away from a line that is being typed, nor from the menu of a fork")
  func typing() {
    var debugger = TestDebugger(at: 33)
    debugger.type("M")
    debugger.send(news(0...40))
    #expect(debugger.step == 33)
    debugger.press(.escape)
    debugger.type("Gf")
    debugger.send(news(0...50))
    #expect(debugger.step == 40)
  }

  @Test("the title says that it grows, until its recorder ends it or it rests")
  func title() {
    func title(_ debugger: TestDebugger) -> Substring? {
      DebuggerView.draw(debugger.state).text.split(separator: "\n").first
    }
    var debugger = TestDebugger(at: 5)
    #expect(title(debugger)?.contains("growing") == false)
    debugger.send(news(0...40))
    #expect(
      title(debugger)
        == " wishes.retcon   main   5/40   00:00:03.400       no reducer  growing  recorded")
    debugger.send(.recordingRests)
    #expect(title(debugger)?.contains("growing") == false)
    debugger.send(news(0...41))
    debugger.send(news(0...42, isFinished: true))
    #expect(title(debugger)?.contains("growing") == false)
  }

  @Test("the rows that are shown stay until they are read again")
  func rows() throws {
    var debugger = TestDebugger(at: 33)
    #expect(debugger.state.reading.pages["main", 33] != nil)
    debugger.send(news(0...40))
    #expect(debugger.state.reading.pages["main", 33] != nil)
    #expect(debugger.work.contains(.readSteps([StepPages.PageID(branch: "main", page: 0)])))
    #expect(debugger.work.contains(.readMoment(Position(step: 40))))
  }

  @Test("what was looked for is looked for in the steps that have come, and is counted")
  func search() {
    var debugger = TestDebugger(at: 5)
    debugger.search("save")
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [8], searched: 34, total: 34))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    #expect(debugger.step == 8)
    debugger.send(news(0...40))
    #expect(debugger.state.searches.asked?.isRunning == true)
    debugger.send(
      .searches(.found(.asked, SearchBatch(hits: [36, 38], searched: 41, total: 41))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    #expect(DebuggerView.draw(debugger.state).text.contains("1 of 3 hits"))
    #expect(debugger.step == 8)
    debugger.type("n")
    #expect(debugger.step == 36)
    debugger.type("n")
    #expect(debugger.step == 38)
  }

  @Test("a search that was stopped stays so, and says how far it came")
  func stopped() {
    var debugger = TestDebugger(at: 5)
    debugger.search("save")
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [8], searched: 20, total: 34))))
    debugger.send(.searches(.stopped(.asked)))
    debugger.send(news(0...40))
    #expect(debugger.state.searches.asked?.isRunning == false)
    #expect(DebuggerView.draw(debugger.state).text.contains("in 20 steps, stopped"))
  }

  @Test("errors are looked for in the steps that have come, not in all of them again")
  func errors() {
    var debugger = TestDebugger(at: 5)
    func end(_ hits: [Int]) {
      let batch = SearchBatch(hits: hits, searched: 34, total: 34)
      debugger.send(.searches(.found(.errors, batch)))
      debugger.send(.searches(.ended(.errors, failure: nil)))
      debugger.work = []
    }
    debugger.send(.effectsFound)
    end([8, 33])
    debugger.send(news(0...40))
    #expect(debugger.state.searches.errors?.isRunning == true)
    #expect(!debugger.work.contains(.survey()))
    // Steps that arrive during a search are searched next.
    debugger.send(news(0...50))
    #expect(debugger.state.searches.errors?.steps == 0...40)
    end([36])
    // It need not grow once more for that.
    #expect(debugger.state.searches.errors?.isRunning == true)
    #expect(debugger.state.searches.errors?.steps == 0...50)
    debugger.send(news(0...60))
    end([])
    let errors = debugger.state.searches.errors
    #expect(errors?.steps == 0...60)
    #expect([8, 33, 36].filter { errors?.isHit($0) == true } == [8, 36])
  }

  @Test("a step that an overwritten file no longer holds is not called recorded, nor forked")
  func overwritten() {
    var debugger = TestDebugger(at: 5, host: .ready("Wishes"))
    debugger.send(news(0...33, .ended, remark: "line 9: the file was overwritten."))
    debugger.send(.momentFailed(Position(step: 5), "It was overwritten."))
    #expect(DebuggerView.draw(debugger.state).text.contains("file changed  gone"))
    debugger.type("f")
    #expect(debugger.state.overlay == nil)
    #expect(
      debugger.state.message?.text
        == "The file has changed since it was opened. R opens it again.")
  }

  @Test("a file that was replaced is said in one sentence, which :notices keeps")
  func replaced() {
    var debugger = TestDebugger(at: 5)
    debugger.send(news(0...33, .ended, remark: "the file was replaced while it was open."))
    let frame = DebuggerView.draw(debugger.state).text
    #expect(frame.contains("the file was replaced while it was open."))
    #expect(frame.contains("file changed  recorded "))
    debugger.type("j:notices⏎")
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        "│ the file was replaced while it was open. │"))
  }

  @Test("a converted file that has changed stays so in the title; R opens it again at this step")
  func outdated() {
    var debugger = TestDebugger(at: 5, host: .ready("Wishes"))
    var summary = Wishes.recording.summary
    summary.isOutdated = true
    let change = RecordingChange(change: .notices, summary: summary, remark: "It has changed.")
    debugger.send(.recordingChanged(change, effects: []))
    #expect(debugger.state.message?.text == "It has changed. R does that.")
    debugger.type("j")
    #expect(DebuggerView.draw(debugger.state).text.contains("file changed  recorded"))
    debugger.work = []
    debugger.type("R")
    #expect(debugger.work.contains(.output(.reopen(step: 6))))
  }

  // MARK: With a file and a clock

  /// A debugger whose time passes by hand, on a file of its own.
  private final class Watching {
    let folder: TemporaryFolder
    let clock = TestClock()
    let app: DebuggerApp
    let session: OpenSession
    private let changes: AsyncStream<Void>

    var path: String { folder.path + "/live.retcon" }

    init(_ text: String, at step: Int? = nil) throws {
      folder = try TemporaryFolder()
      try folder.append(text, to: "live.retcon")
      session = OpenSession(
        SessionRecording(try SessionReader(path: folder.path + "/live.retcon")))
      let (session, clock) = (session, clock)
      let (changes, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      self.changes = changes
      app = withDependencies {
        $0.continuousClock = clock
      } operation: {
        DebuggerApp(
          session: session, size: Size(width: 80, height: 12),
          position: step.map { Position(step: $0) }, output: { _ in },
          onChange: { continuation.yield() })
      }
    }

    /// Follows, and waits until the screen shows a text.
    func wait(for text: String) async {
      if app.frame.text.contains(text) { return }
      for await _ in changes where app.frame.text.contains(text) { return }
    }

    func look() async { await clock.advance(by: .milliseconds(500)) }
  }

  private let header = #"{"retcon":"1.0","states":"every","state":0}"# + "\n"

  private func line(_ step: Int) -> String {
    #"{"step":\#(step),"label":"set\#(step)","action":{},"patch":[{"op":"replace","path":"","value":\#(step)}]}"#
      + "\n"
  }

  @Test("new steps, their states and their effects appear")
  func growing() async throws {
    let watching = try Watching(header + line(1) + line(2), at: 2)
    await watching.app.start().finish()
    watching.app.follow(every: .milliseconds(500))
    await watching.look()
    #expect(watching.app.state.here.step == 2)
    try watching.folder.append(
      line(3) + #"{"effect":1,"event":"started","after":3,"from":3,"ordinal":0,"name":"load","#
        + #""file":"A.swift","line":1}"# + "\n" + String(line(4).prefix(30)), to: "live.retcon")
    await watching.look()
    #expect(watching.app.state.here.step == 3)
    await watching.wait(for: "2 → 3")
    #expect(watching.app.frame.text.contains("▸3"))
    #expect(watching.app.frame.text.contains("set3"))
    #expect(watching.app.frame.text.contains("growing"))
    // A line that the recorder is still writing does not count as damage.
    #expect(watching.app.state.message?.kind != .warning)
    #expect(try watching.session.effects(in: 3...3, of: "main").map(\.name) == ["load"])
    try watching.folder.append(
      String(line(4).dropFirst(30))
        + #"{"effect":1,"event":"finished","after":4}"# + "\n", to: "live.retcon")
    await watching.look()
    #expect(watching.app.state.here.step == 4)
    #expect(try watching.session.effects(in: 3...3, of: "main").first?.end?.step == 4)
    await watching.wait(for: "3 → 4")
    for _ in 0..<11 { await watching.look() }
    #expect(!watching.app.frame.text.contains("growing"))
  }

  @Test("damage that comes with growth is said")
  func damage() async throws {
    let watching = try Watching(header + line(1))
    await watching.app.start().finish()
    watching.app.follow(every: .milliseconds(500))
    try watching.folder.append(line(4), to: "live.retcon")
    await watching.look()
    #expect(watching.app.state.branch.steps == 0...4)
    #expect(
      watching.app.state.message
        == Message(
          "line 3: steps 2 to 3 are missing before it; states are unknown from there to the next "
            + "keyframe.", .warning))
  }

  @Test("a truncated file is said, once, and ends the looking")
  func truncated() async throws {
    let watching = try Watching(header + line(1) + line(2))
    await watching.app.start().finish()
    let following = watching.app.follow(every: .milliseconds(500))
    try watching.folder.shorten("live.retcon", to: header.utf8.count)
    await watching.look()
    await following.finish()
    let sentence =
      "the file was shortened or overwritten while it was open; what is gone cannot be shown. "
      + "Open it again."
    #expect(watching.app.state.message == Message("\(sentence) R does that.", .warning))
    #expect(watching.app.state.session.notices == [sentence])
    await watching.app.handle(.key(.character("G"))).finish()
    #expect(watching.app.state.here.step == 2)
    #expect(watching.app.frame.text.contains("file changed"))
  }

  @Test("a file that is moved away is said in the title as soon as it happens, and followed")
  func movedAway() async throws {
    let watching = try Watching(header + line(1), at: 1)
    await watching.app.start().finish()
    watching.app.follow(every: .milliseconds(500))
    await watching.look()
    #expect(!watching.app.frame.text.contains("file moved"))
    try watching.folder.move("live.retcon", to: "elsewhere.retcon")
    await watching.look()
    await watching.wait(for: "file moved")
    #expect(watching.app.state.message?.text.contains("moved or removed") == true)
    try watching.folder.append(line(2), to: "elsewhere.retcon")
    await watching.look()
    await watching.wait(for: "set2")
    #expect(watching.app.state.here.step == 2)
  }

  @Test("another file in its place is said; what was open stays readable")
  func replaced() async throws {
    let watching = try Watching(header + line(1) + line(2))
    await watching.app.start().finish()
    let following = watching.app.follow(every: .milliseconds(500))
    try watching.folder.append(header, to: "other")
    try watching.folder.move("other", to: "live.retcon")
    await watching.look()
    await following.finish()
    #expect(
      watching.app.state.message
        == Message("the file was replaced while it was open. Open it again. R does that.", .warning)
    )
    await watching.app.handle(.key(.character("G"))).finish()
    #expect(watching.app.frame.text.contains("1 → 2"))
  }
}
