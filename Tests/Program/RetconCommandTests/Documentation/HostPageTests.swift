import HostProtocol
import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// The host of the page that has effects and reads.
@Suite("The page on hosts: effects and reads", .needs(.python))
struct HostPageTests {
  private let shop: ShopHost

  init() throws { shop = try ShopHost() }

  @Test("the whole host has at most 60 lines, and does what is asked of it")
  func whole() async throws {
    #expect(shop.host.split(separator: "\n").count <= 60)
    let answer = await shop.runner.run(["host", "--check", shop.command, "$/shop.retcon"])
    #expect(answer.status == .yes, "\(answer)")
    #expect(answer.data.contains("ok    refuses a body that it does not know, and goes on"))
    #expect(answer.data.contains("ok    starts the effects of a fork alike, each time"))
  }

  @Test("verify runs the session with its timer and its requests, and finds no difference")
  func verify() async throws {
    let answer = await shop.runner.run(["verify", "$/shop.retcon", "--host", shop.command])
    #expect(answer.status == .yes && answer.data.contains("12 steps"), "\(answer)")
  }

  @Test(
    "a fork without the step that starts the timer loses its ticks, and knows it",
    arguments: ShopHost.Ways.allCases)
  func skippedStart(_ way: ShopHost.Ways) async throws {
    let fork = try await shop.fork(way, .skip(step: 1))
    let isRight =
      fork.lines == [
        "1 asked ←3 recorded/different", "2 priced ⚡2 ←5 recorded/different",
        "3 saved ←6 recorded/different", "4 closed ←8 recorded/different",
        "5 asked ←9 recorded/different", "6 priced ⚡3 ←10 recorded/different",
        "7 saved ←11 recorded/different", "8 looked ←12 recorded/different",
      ] && fork.leftOut == ["opened", "ticked", "ticked", "ticked"] && fork.doubts.isEmpty
    // A host that only reduces cannot know it.
    #expect(isRight == way.seesEffects, "\(fork)")
  }

  @Test(
    "a fork that asks another question waits for its answer, and names the question",
    arguments: ShopHost.Ways.allCases)
  func otherQuestion(_ way: ShopHost.Ways) async throws {
    let fork = try await shop.fork(
      way, .replace(step: 9, action: ["type": "asked", "item": "coffee"]))
    let isRight =
      fork.lines == ["9 asked ←9 edited/equal", "10 looked ←12 open/different"]
      && fork.questions == [Question("price", ["coffee"])]
      && fork.doubts == [#"effect 3 “price” of step 9 waits for price("coffee")"#]
    #expect(isRight == (way == .all), "\(fork)")
  }

  @Test(
    "a fork that asks what was asked before gets the recorded answer in its time, and knows it",
    arguments: ShopHost.Ways.allCases)
  func sameQuestion(_ way: ShopHost.Ways) async throws {
    let fork = try await shop.fork(
      way, .replace(step: 9, action: ["type": "asked", "item": "tea"]))
    let isRight =
      fork.lines.prefix(2) == ["9 asked ←9 edited/equal", "10 priced ⚡3 ←10 recorded/different"]
      && fork.times[10] == .milliseconds(4_800) && fork.doubts.isEmpty
    #expect(isRight == way.seesEffects, "\(fork)")
  }

  @Test("a fork that closes earlier cancels the timer by its id", arguments: ShopHost.Ways.allCases)
  func cancelling(_ way: ShopHost.Ways) async throws {
    let fork = try await shop.fork(way, .insert(after: 3, action: ["type": "closed"]))
    let isRight =
      fork.lines.prefix(3) == [
        "4 closed new edited/new", "5 priced ⚡2 ←5 recorded/different",
        "6 saved ←6 recorded/different",
      ] && fork.leftOut == ["ticked", "ticked"] && fork.doubts.isEmpty
    #expect(isRight == way.seesEffects, "\(fork)")
  }

  @Test("an answer that is edited reaches the reducer", arguments: ShopHost.Ways.allCases)
  func editedRead(_ way: ShopHost.Ways) async throws {
    let fork = try await shop.fork(
      way, .read(step: 5, key: "discount", index: 0, outcome: .value(2)))
    #expect((fork.states[5]?["prices"]?["tea"] == 3) == (way != .reduces), "\(fork)")
  }

  @Test("without its recorded answer a reducer gets what it takes instead, with a doubt")
  func missingRead() async throws {
    let action: Value = ["type": "priced", "item": "milk", "price": 9]
    let fork = try await shop.fork(.all, .insert(after: 2, action: action))
    #expect(fork.states[3]?["prices"]?["milk"] == 9, "\(fork)")
    #expect(fork.doubts.first?.contains("discount") == true, "\(fork)")
  }
}

/// The app and the host of the page, with a session of it.
struct ShopHost {
  enum Ways: CaseIterable {
    case all
    /// It starts effects and runs no bodies.
    case starts
    case reads
    case reduces

    var seesEffects: Bool { self == .all || self == .starts }
  }

  struct Fork {
    var lines: [String] = []
    var times: [Int: Duration] = [:]
    var states: [Int: Value] = [:]
    var leftOut: [String] = []
    var doubts: [String] = []
    var questions: [Question] = []
    var ending: BranchReport.Ending?
  }

  let runner: CommandRunner
  let host: String
  var command: String { "python3 \(runner.folder)/host.py" }

  init() throws {
    runner = try CommandRunner()
    let blocks = try Page("hosts.md").blocks("python")
    host = try #require(blocks.last)
    _ = try runner.write(host, as: "host.py")
    _ = try runner.write(try #require(blocks.dropLast().last), as: "shop.py")
    _ = try runner.write(Self.session, as: "shop.retcon")
  }

  private func text(_ way: Ways) -> String {
    switch way {
    case .all: host
    case .starts: host.replacing(", bodies=True)", with: ")")
    case .reads: host.replacing(", effects=True, bodies=True)", with: ")")
    case .reduces: host.replacing("answer.update(", with: "dict(")
    }
  }

  func useHost(_ text: String) throws {
    unlink("\(runner.folder)/host.py")
    _ = try runner.write(text, as: "host.py")
  }

  func fork(_ way: Ways, _ edits: Edit...) async throws -> Fork {
    try useHost(text(way))
    let connection = connection()
    defer { connection.end() }
    return try await fork(edits, on: connection)
  }

  func fork(_ edits: [Edit], on connection: HostConnection) async throws -> Fork {
    let path = "\(runner.folder)/shop.retcon"
    let reader = try SessionReader(path: path)
    try await connection.load(path, as: reader)
    let leavesAt = edits.compactMap(\.leavesAt).min() ?? 0
    let script = Script(leavesAt: leavesAt, edits: edits)
    let (steps, report) = try await connection.steps(
      of: BranchPath("fork", script), from: leavesAt + 1)
    var fork = Fork()
    var state = try reader.state(after: leavesAt)
    for step in steps {
      let cause = if case .effect(let effect) = step.step.cause { " ⚡\(effect)" } else { "" }
      let source = step.descendsFrom.map { "←\($0)" } ?? "new"
      fork.lines.append(
        "\(step.step.number) \(step.step.label)\(cause) \(source) \(step.standing.words)")
      fork.times[step.step.number] = step.step.time
      if let patch = step.patch { state = try Patch(patch).applied(to: state) }
      fork.states[step.step.number] = state
    }
    fork.leftOut = report.leftOut.map(\.label)
    fork.doubts = Set(
      (steps.flatMap(\.standing.assumptions) + report.assumptions).map(\.sentence)
    ).sorted()
    fork.questions = report.pending.compactMap(\.question)
    fork.ending = report.ending
    return fork
  }

  private static let session = """
    {"retcon":"1.1","app":{"name":"Shop"},"can":"replay","tape":["date","price","discount"],"states":"every","state":{"seconds":0,"prices":{}}}
    {"step":1,"time":0.5,"label":"opened","action":{"type":"opened"},"cause":"user","patch":[]}
    {"effect":1,"event":"started","after":1,"time":0.5,"from":1,"ordinal":1,"name":"timer","file":"shop.py","line":5,"cancel":"timer"}
    {"step":2,"time":1.5,"label":"ticked","action":{"type":"ticked"},"cause":{"effect":1},"patch":[{"op":"replace","path":"/seconds","value":1}]}
    {"step":3,"time":1.8,"label":"asked","action":{"type":"asked","item":"tea"},"cause":"user","patch":[]}
    {"effect":2,"event":"started","after":3,"time":1.8,"from":3,"ordinal":1,"name":"price","file":"shop.py","line":5}
    {"step":4,"time":2.5,"label":"ticked","action":{"type":"ticked"},"cause":{"effect":1},"patch":[{"op":"replace","path":"/seconds","value":2}]}
    {"read":"price","effect":2,"after":4,"time":2.6,"took":0.8,"arguments":["tea"],"value":5}
    {"step":5,"time":2.6,"label":"priced","action":{"type":"priced","item":"tea","price":5},"cause":{"effect":2},"reads":[{"key":"discount","value":1}],"patch":[{"op":"add","path":"/prices/tea","value":4}]}
    {"step":6,"time":2.6,"label":"saved","action":{"type":"saved"},"cause":{"output":5},"patch":[]}
    {"effect":2,"event":"finished","after":6,"time":2.6}
    {"step":7,"time":3.5,"label":"ticked","action":{"type":"ticked"},"cause":{"effect":1},"patch":[{"op":"replace","path":"/seconds","value":3}]}
    {"step":8,"time":3.7,"label":"closed","action":{"type":"closed"},"cause":"user","patch":[]}
    {"effect":1,"event":"cancelled","after":8,"time":3.7}
    {"step":9,"time":4,"label":"asked","action":{"type":"asked","item":"milk"},"cause":"user","patch":[]}
    {"effect":3,"event":"started","after":9,"time":4,"from":9,"ordinal":1,"name":"price","file":"shop.py","line":5}
    {"read":"price","effect":3,"after":9,"time":4.5,"took":0.5,"arguments":["milk"],"value":3}
    {"step":10,"time":4.5,"label":"priced","action":{"type":"priced","item":"milk","price":3},"cause":{"effect":3},"reads":[{"key":"discount","value":0}],"patch":[{"op":"add","path":"/prices/milk","value":3}]}
    {"step":11,"time":4.5,"label":"saved","action":{"type":"saved"},"cause":{"output":10},"patch":[]}
    {"effect":3,"event":"finished","after":11,"time":4.5}
    {"step":12,"time":6,"label":"looked","action":{"type":"looked"},"cause":"user","patch":[]}
    {"end":12,"time":6}

    """
}

extension Standing {
  fileprivate var words: String { "\(values.rawValue)/\(outcome.rawValue)" }
}
