import Glibc
import Platform
import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Recording") struct SessionRecorderTests {
  struct Cart: Codable, Sendable {
    var items: [String] = []
    var total = 0.0
  }

  enum Action: Codable, Sendable {
    case added(String)
    case paid
  }

  let folder: TemporaryFolder
  var options = RecordingOptions()

  init() throws {
    folder = try TemporaryFolder()
    options.clock = { .zero }
    options.started = "2026-11-20T10:56:00.000Z"
  }

  private func record(
    _ steps: Int, _ options: RecordingOptions
  ) throws -> (SessionReader, RecordingStatistics) {
    let recorder = SessionRecorder<Cart, Action>(to: folder("cart.retcon"), options: options)
    var cart = Cart()
    recorder.start(with: cart)
    for number in 0..<steps {
      recorder.step(.added("tea \(number)")) {
        cart.items.append("tea \(number)")
        cart.total += 1
        return cart
      }
    }
    let statistics = recorder.finish()
    return (try SessionReader(path: folder("cart.retcon")), statistics)
  }

  @Test("The header says what was recorded and how")
  func header() throws {
    var options = options
    options.app = .init("Cart", version: "1.2")
    options.seed = 18_446_744_073_709_551_615
    let (session, statistics) = try record(1, options)
    #expect(session.header.app == .init("Cart", version: "1.2"))
    #expect(session.header.seed == .max)
    #expect(session.header.capability == .replay)
    #expect(session.header.started == "2026-11-20T10:56:00.000Z")
    #expect(session.header.snapshots == .copied)
    #expect(session.header.states == .everyStep)
    #expect(session.isFinished)
    #expect(statistics.isComplete)
    #expect(statistics.steps == 1)
    #expect(statistics.bytes == folder.bytes("cart.retcon").count)
  }

  @Test("Every n-th state, or only the first: the other steps have none")
  func statePolicies() throws {
    var every = options
    every.states = .every(3)
    let (third, _) = try record(7, every)
    #expect(third.header.states == .every(3))
    let known = third.steps.filter { (try? third.state(after: $0)) != nil }
    #expect(known == [0, 3, 6])
    #expect(try third.state(after: 6)["total"] == 6)
    let error = #expect(throws: SessionError.self) { try third.state(after: 4) }
    #expect(error?.problem == .stateNotStored(step: 4))

    var first = options
    first.states = .first
    let (session, _) = try record(3, first)
    #expect(session.steps.filter { (try? session.state(after: $0)) != nil } == [0])
    #expect(try session.step(3).label == "added")
    #expect(!folder.text("cart.retcon").contains("patch"))
  }

  /// A recorder whose worker stood still in the first of twenty steps, and goes on now.
  private func recorderBehind(_ options: RecordingOptions) -> SessionRecorder<Int, Int> {
    let gate = Gate()
    let encoding = RecordingEncoding<Int, Int>(
      makeStateEncoder: { { .number(Number($0)) } },
      encodeAction: { action in
        if action == 1 { gate.wait() }
        return .number(Number(action))
      }, label: { "\($0)" })
    let recorder = SessionRecorder(to: folder("n.retcon"), options: options, encoding: encoding)
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    gate.waitUntilReached()
    for number in 2...20 { recorder.step(number) { number } }
    gate.open()
    return recorder
  }

  @Test("When the recorder falls behind states are dropped, actions never, and the file says so")
  func dropsStates() throws {
    let told = Told()
    var options = options
    options.backPressure = .dropStates(beyond: 5)
    options.report = { told.add($0.sentence) }
    let recorder = recorderBehind(options)
    recorder.flush()
    recorder.step(21) { 21 }
    let statistics = recorder.finish()

    #expect(statistics.steps == 21)
    #expect(statistics.droppedStates == 14)
    #expect(!statistics.isComplete)
    #expect(
      told.all == [
        "\(folder("n.retcon")): the recorder has fallen behind; states from step 7 on are left "
          + "out until it has caught up. Choose the back-pressure policy wait to keep them all."
      ])
    let session = try SessionReader(path: folder("n.retcon"))
    #expect(session.steps == 0...21)
    #expect(try session.step(20).action == 20)
    #expect(
      session.steps.filter { (try? session.state(after: $0)) != nil } == [0, 1, 2, 3, 4, 5, 6, 21])
    #expect(
      folder.text("n.retcon").split(separator: "\n").filter { $0.contains("\"dropped\":true") }
        .count == 14)
  }

  @Test("By default, sends wait only briefly for a recorder that stands still")
  func keepsUp() throws {
    var options = options
    options.backPressure = .keepUp(beyond: 2)
    options.report = { _ in }
    let recorder = recorderBehind(options)
    #expect(recorder.finish().droppedStates == 11)
    let session = try SessionReader(path: folder("n.retcon"))
    #expect(session.steps == 0...20)
    #expect(session.steps.filter { (try? session.state(after: $0)) != nil } == Array(0...9))
  }

  @Test("With the policy wait nothing is dropped")
  func waits() throws {
    var options = options
    options.backPressure = .wait(beyond: 2)
    let (session, statistics) = try record(500, options)
    #expect(statistics.isComplete)
    #expect(statistics.longestQueue <= 2)
    #expect(try session.state(after: 500)["total"] == 500)
  }

  @Test("What comes after the end is counted and not written")
  func afterEnd() throws {
    let recorder = SessionRecorder<Int, String>(to: folder("n.retcon"), options: options)
    recorder.start(with: 0)
    recorder.step("a") { 1 }
    #expect(recorder.finish().afterEnd == 0)
    var ran = false
    recorder.step("b") {
      ran = true
      return 2
    }
    recorder.signpost("late")
    #expect(ran)
    #expect(recorder.finish().afterEnd == 2)
    #expect(recorder.finish().steps == 1)
    #expect(try SessionReader(path: folder("n.retcon")).steps == 0...1)
  }

  @Test("What is not Codable is reflected, and the header says that the log is for browsing")
  func reflection() throws {
    struct Model: Sendable {
      var name = "Ann"
      var count = 0
    }
    enum Message: Sendable { case renamed(to: String) }
    let recorder = SessionRecorder<Model, Message>(to: folder("m.retcon"), options: options)
    var model = Model()
    recorder.start(with: model)
    recorder.step(.renamed(to: "Bob")) {
      model.name = "Bob"
      return model
    }
    recorder.finish()
    let session = try SessionReader(path: folder("m.retcon"))
    #expect(
      session.header.capability
        == .browse(because: "State (Model) is not Codable, Action (Message) is not Codable"))
    #expect(try session.state(after: 0) == ["name": "Ann", "count": 0])
    #expect(try session.state(after: 1) == ["name": "Bob", "count": 0])
    #expect(try session.step(1).action == ["renamed": ["to": "Bob"]])
    #expect(try session.step(1).label == "renamed")
  }

  /// `@unchecked Sendable`: the tests touch it on one thread; that it can change is their point.
  final class Box: Codable, @unchecked Sendable {
    var number: Int
    init(_ number: Int) { self.number = number }
  }

  struct Boxed: Codable, Sendable { var box: Box }

  @Test("A state with a class instance is encoded before send returns")
  func references() throws {
    let box = Box(0)
    let recorder = SessionRecorder<Boxed, Int>(to: folder("box.retcon"), options: options)
    recorder.start(with: Boxed(box: box))
    for number in 1...50 {
      recorder.step(number) {
        box.number = number
        return Boxed(box: box)
      }
    }
    box.number = 1_000
    recorder.finish()
    let session = try SessionReader(path: folder("box.retcon"))
    #expect(session.header.snapshots == .encoded)
    for number in 0...50 {
      #expect(try session.state(after: number) == ["box": ["number": .number(Number(number))]])
    }
  }

  @Test("A state that does not encode is left out, told once, and recording goes on")
  func encodingFails() throws {
    let told = Told()
    var options = options
    options.report = { told.add($0.sentence) }
    struct Odd: Error, CustomStringConvertible { let description = "three is odd" }
    let encoding = RecordingEncoding<Int, Int>(
      makeStateEncoder: {
        { state in
          if state == 3 { throw Odd() }
          return .number(Number(state))
        }
      }, encodeAction: { .number(Number($0)) })
    let recorder = SessionRecorder(to: folder("n.retcon"), options: options, encoding: encoding)
    recorder.start(with: 0)
    for number in 1...5 { recorder.step(number) { number } }
    let statistics = recorder.finish()
    #expect(statistics.encodingFailures == 1)
    #expect(
      told.all == [
        "\(folder("n.retcon")): the state after step 3 cannot be encoded and is left out: "
          + "three is odd. Mend its Encodable conformance."
      ])
    let session = try SessionReader(path: folder("n.retcon"))
    #expect(session.steps.filter { (try? session.state(after: $0)) != nil } == [0, 1, 2, 4, 5])
  }

  @Test("Eight threads that record under a lock of their own: the log has its order")
  func order() async throws {
    struct Ordered: Sendable {
      var order: [Int] = []
    }
    var options = options
    options.states = .first
    let recorder = SessionRecorder<Int, Int>(to: folder("order.retcon"), options: options)
    recorder.start(with: 0)
    let store = Locked(Ordered())
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<12_500 {
            let action = thread * 12_500 + number
            store.withLock { store in
              recorder.step(action) {
                store.order.append(action)
                return action
              }
            }
          }
        }
      }
    }
    let statistics = recorder.finish()
    #expect(statistics.steps == 100_000)
    #expect(statistics.isComplete)
    let session = try SessionReader(path: folder("order.retcon"))
    #expect(session.stepCount == 100_000)
    let order = store.withLock { $0.order }
    let logged = try (1...100_000).map { try session.step($0).action }
    #expect(logged == order.map { .number(Number($0)) })
  }

  @Test("A recorder that is not told what sends actions says so in the header")
  func causes() throws {
    for knowsCauses in [false, true] {
      let path = folder("causes.retcon")
      let recorder = SessionRecorder<Int, Int>(to: path, knowsCauses: knowsCauses, options: options)
      recorder.start(with: 0)
      recorder.step(1) { 1 }
      recorder.finish()
      #expect(try SessionReader(path: path).header.knowsCauses == knowsCauses)
      #expect(folder.text("causes.retcon").contains(#","causes":"unknown""#) == !knowsCauses)
    }
  }

  @Test(
    "What other threads tell while a step is reduced is written behind it",
    arguments: [false, true])
  func behindTheStep(isWriteAhead: Bool) throws {
    let ticks = Locked(0)
    var options = options
    options.isWriteAhead = isWriteAhead
    options.clock = {
      .milliseconds(
        ticks.withLock { ticks in
          ticks += 1
          return ticks
        })
    }
    let recorder = SessionRecorder<Int, Int>(to: folder("o.retcon"), options: options)
    recorder.start(with: 0)
    recorder.effectChanged(1, .started(EffectOrigin(step: 0, file: "A.swift", line: 1)))
    recorder.step(1) {
      recorder.effectChanged(1, .finished)
      recorder.signpost("here")
      return 1
    }
    recorder.step(2) { 2 }
    #expect(recorder.finish().troubles.isEmpty)
    let lines = folder.text("o.retcon").split(separator: "\n").dropFirst()
      .filter { !$0.hasPrefix(#"{"begin""#) && !$0.hasPrefix(#"{"end""#) }
    #expect(
      lines.map { $0.prefix(44) } == [
        #"{"effect":1,"event":"started","after":0,"tim"#,
        #"{"step":1,"time":0.002,"label":"Int","action"#,
        #"{"effect":1,"event":"finished","after":1,"ti"#,
        #"{"signpost":"here","after":1,"time":0.004}"#,
        #"{"step":2,"time":0.005,"label":"Int","action"#,
      ])
  }

  @Test("Labels are the dotted case names of actions in actions")
  func labels() {
    enum ChildAction { case saved, picked(Filter), row(id: Int, action: RowAction) }
    enum RowAction { case tapped }
    enum Filter { case done }
    enum Wrapped<Action> { case presented(Action), dismissed }
    typealias PresentationAction = Wrapped
    enum ParentAction { case child(ChildAction), closed }
    #expect(actionLabel(ParentAction.closed) == "closed")
    #expect(actionLabel(ParentAction.child(.saved)) == "child.saved")
    #expect(actionLabel(ParentAction.child(.picked(.done))) == "child.picked")
    #expect(actionLabel(ParentAction.child(.row(id: 1, action: .tapped))) == "child.row.tapped")
    #expect(actionLabel(7) == "Int")
  }
}

/// Lets one thread wait for another, in both directions.
final class Gate: Sendable {
  private let state = Locked((isReached: false, isOpen: false))

  func wait() {
    state.withLock { $0.isReached = true }
    while !state.withLock({ $0.isOpen }) { sched_yield() }
  }

  func waitUntilReached() {
    while !state.withLock({ $0.isReached }) { sched_yield() }
  }

  func open() { state.withLock { $0.isOpen = true } }
}
