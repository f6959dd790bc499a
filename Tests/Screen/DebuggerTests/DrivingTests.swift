import Platform
import SessionWords
import TestSupport
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The running app does what the debugger asks for twice")
struct DrivingTests {
  private let orders = Locked<[RunningApp.Order]>([])

  private func app(isAttached: Bool = true) -> DebuggerApp {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let orders = orders
    let running = RunningApp { order in
      if case .show(nil, _, _) = order { throw Trouble("the page is gone", place: "page") }
      if order == .resume { throw Trouble("the page is gone", place: "page") }
      orders.withLock { $0.append(order) }
    }
    return DebuggerApp(
      session: session, size: Size(width: 120, height: 24), position: Position(step: 5),
      app: isAttached ? running : nil, rehearsal: ScriptedRun(), output: { _ in }, onChange: {})
  }

  private func type(_ text: String, in app: DebuggerApp) async -> String {
    for key in ":" + text { await app.handle(.key(.character(key))).finish() }
    await app.handle(.key(.enter)).finish()
    return app.state.message?.text ?? ""
  }

  @Test func eachAsksOnceAndSaysWhatItDoes() async throws {
    let app = app()
    await app.start().finish()
    let asked = await type("app jump", in: app)
    #expect(asked.contains("The app gets the state after 5.") && orders.withLock { $0 }.isEmpty)
    #expect(await type("app jump", in: app).contains(":app back takes it back"))
    guard case .jump(_, let step?, nil)? = orders.withLock({ $0 }).first else {
      Issue.record("it did not jump: \(orders.withLock { $0 })")
      return
    }
    #expect(step == 5)
    for _ in 1...2 { _ = await type(#"app send {"type":"a","by":1}"#, in: app) }
    for _ in 1...2 { _ = await type("app send clear", in: app) }
    for words in ["app pause", "app back"] {
      for _ in 1...2 { _ = await type(words, in: app) }
    }
    #expect(
      orders.withLock { Array($0.dropFirst()) } == [
        .send([["type": "a", "by": 1]]), .send([["type": "clear"]]), .pause, .back,
      ])
    _ = await type("app resume", in: app)
    #expect(await type("app resume", in: app).contains("the page is gone"))
  }

  @Test func aForkIsPlayedFromTheStepWhereItLeaves() async throws {
    let app = app()
    await app.start().finish()
    #expect(await type("app play", in: app).contains("on a fork also play"))
    await app.handle(.key(.character("x"))).finish()
    let fork = try #require(app.state.branches.last)
    let asked = await type("app play", in: app)
    #expect(asked.contains("of “\(fork.name)”"), "\(asked)")
    _ = await type("app play", in: app)
    let all = orders.withLock { $0 }
    guard case .jump(_, let step?, let played?)? = all.first, case .send(let actions)? = all.last
    else {
      Issue.record("it was not played: \(all)")
      return
    }
    #expect(step == fork.script?.leavesAt && actions.count == fork.steps.upperBound - step)
    #expect(played.name == "\(fork.name) in the app")
    #expect(played.script.parent == "main" && played.script.leavesAt == step)
  }

  @Test func theAppFollowsTheCursorOnceItIsAskedTo() async throws {
    var debugger = TestDebugger(at: 5)
    debugger.state.driving.hasApp = true
    func shows(_ step: Int, isNewest: Bool = false, run: Int = 0) -> Driving.Shown {
      Driving.Shown(place: Position(step: step), run: run, isNewest: isNewest)
    }
    debugger.type(":app follow on⏎")
    #expect(debugger.message?.contains("no step is recorded") == true)
    #expect(!debugger.state.driving.shows)
    debugger.type(":app follow on⏎")
    #expect(debugger.work.contains(.show(shows(5), words: "5", number: 1)))
    debugger.type("jj")
    #expect(debugger.work.contains(.show(shows(7), words: "7", number: 3)))
    debugger.type("G")
    let last = debugger.state.session.steps.upperBound
    #expect(
      debugger.state.driving.shown == shows(last, isNewest: !debugger.state.session.isFinished))
    debugger.type(":app follow off⏎")
    let own = Drive.order(.own(number: 5), question: "", done: "The app shows its own state.")
    #expect(debugger.work.contains(.drive(own)))
    debugger.work = []
    debugger.type("k")
    #expect(!debugger.work.contains { $0.name == "show in the app" })
  }

  @Test func theStateOfTheStepIsShownUntilTheAppDoesNotAnswer() async throws {
    let app = app()
    await app.start().finish()
    for _ in 1...2 { _ = await type("app follow on", in: app) }
    let words = "Retcon shows step 5, not the app’s own state"
    let state = try await Wishes.session.state(at: Position(step: 5))
    #expect(orders.withLock { $0 } == [.show(state, words: words, number: 1)])
    #expect(app.state.message?.text == "The app follows no longer: page: the page is gone.")
    #expect(!app.state.driving.shows)
  }

  @Test func aForkIsShownUnderItsName() async throws {
    let app = app()
    await app.start().finish()
    await app.handle(.key(.character("x"))).finish()
    let fork = try #require(app.state.branches.last)
    for _ in 1...2 { _ = await type("app follow on", in: app) }
    guard case .show(let state?, let words, number: 1)? = orders.withLock({ $0 }).last else {
      Issue.record("it was not shown: \(orders.withLock { $0 })")
      return
    }
    let place = app.state.here
    #expect(place.branch == fork.id)
    #expect(words == "Retcon shows step \(fork.name)/\(place.step), not the app’s own state")
    #expect(try await Wishes.session.state(at: Position(step: 5)) != state)
  }

  @Test func sendOffersTheAppsActionsWithWhatTheyCarry() async throws {
    var debugger = TestDebugger(at: 5)
    debugger.state.driving.hasApp = true
    debugger.type(":app send ")
    #expect(debugger.work.contains { $0.name == "find actions" })
    let made: [Value] = [["type": "cart/added", "payload": .null], ["type": "cart/cleared"]]
    debugger.send(.sendableFound(made.map { ActionTemplate(label: $0.caseNames, action: $0) }))
    let recorded: Value = ["type": "cart/added", "payload": 12]
    debugger.send(.sendableFound([ActionTemplate(label: "cart/added", action: recorded)]))
    #expect(
      debugger.state.prompt?.offers == ["cart/added null", "cart/cleared", "cart/added 12"])
    debugger.type("cart/cl⇥")
    #expect(debugger.state.prompt?.line.text == "app send cart/cleared")
    debugger.type("⏎")
    for _ in 1...2 { debugger.type(":app send cart/added 7⏎") }
    let sent = try #require(Drive(["send", "cart/added", "7"], in: debugger.state))
    guard case .order(.send(let actions), _, _) = sent else { throw Trouble("no", place: "") }
    #expect(actions == [["type": "cart/added", "payload": 7]])
    #expect(debugger.work.contains(.drive(sent)))
  }

  @Test func withoutAnAppNothingHappens() async {
    let app = app(isAttached: false)
    await app.start().finish()
    #expect(await type("app jump", in: app).contains("No app is attached"))
  }
}
