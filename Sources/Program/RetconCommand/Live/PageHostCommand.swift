import Debugger
import Live
import Platform
import Sockets
import Synchronization
import ValueTree

/// The thin host whose reducer is in a page: `attach` starts it for forks.
struct PageHostCommand: Command {
  static let declaration = CommandDeclaration(
    name: "page-host", usage: "URL STORE", summary: "serve the reducer of a store in a page",
    isHidden: true)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    guard given.positionals.count == 2, let place = HTTPConnection.Place(given.positionals[0])
    else {
      throw UsageError(what: "page-host needs the address of a page's debugger and a store")
    }
    let page = try PageStore(place, store: given.positionals[1])
    while let line = readLine() {
      let request = (try? Value(parsing: line)) ?? .null
      let answer: String
      do { answer = try page.ask(request) } catch {
        answer = (["id": request["id"] ?? .null, "error": .string("\(error)")] as Value).text()
      }
      if request["ask"] == "quit" { break }
      if request["ask"] != "forget" {
        context.output.line(answer.replacing("\n", with: " "))
        fflush(nil)
      }
    }
    page.end()
    return .yes
  }
}

/// A store in a page that the shim has seen.
final class PageStore: Sendable {
  private let connection: DevToolsConnection
  private let id: String
  private let store: String
  private let context: Int

  /// The shim's own place in each page.
  private static let sign = "globalThis[Symbol.for(\"retcon\")]"

  init(_ place: HTTPConnection.Place, store: String) throws {
    (id, self.store) = (store, Value.string(store).text())
    let contexts = Locked<[Int]>([])
    let connection = try Self.sayingIfGone {
      try DevToolsConnection(to: place) { event, parameters, _, _ in
        guard event == "Runtime.executionContextCreated",
          let number = parameters["context"]?["id"]?.double, let id = Int(exactly: number)
        else { return }
        contexts.withLock { $0.append(id) }
      }
    }
    self.connection = connection
    try connection.ask("Runtime.enable")
    let question = "Boolean(\(Self.sign)?.has(\(self.store)))"
    let found = contexts.withLock { $0 }.reversed().first { id in
      let result = try? connection.ask(
        "Runtime.evaluate", ["expression": .string(question), "contextId": .number(Number(id))])
      return result?["result"]?["value"] == true
    }
    guard let found else {
      throw UsageError(what: "the page has no such store any more: it was closed or loaded again")
    }
    context = found
  }

  private static func sayingIfGone<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch let error as ConnectionError {
      throw UsageError(what: "the page does not answer: \(error)")
    }
  }

  /// The page's answer to a request of the thin host protocol, as a line.
  func ask(_ request: Value) throws -> String { try evaluate("ask", request, within: nil) }

  private func evaluate(
    _ function: String, _ words: Value, within timeout: Duration?
  ) throws -> String {
    let result = try Self.sayingIfGone {
      try connection.ask(
        "Runtime.evaluate",
        [
          "expression": .string("\(Self.sign).\(function)(\(store),\(words.text()))"),
          "contextId": .number(Number(context)), "returnByValue": true,
        ], within: timeout)
    }
    guard let line = result["result"]?["value"]?.string else {
      throw UsageError(what: "the page does not answer: it was closed or loaded again")
    }
    return line
  }

  /// Does something to the store.
  func carryOut(_ order: RunningApp.Order, _ recorder: LiveRecorder? = nil) throws {
    let words: Value =
      switch order {
      case .jump(let state, let step, let fork):
        Value.line([
          "drive": "jump", "state": state, "step": step.map { Value($0) },
          "play": fork.flatMap { recorder?.play($0, in: id) },
        ])
      case .send(let actions): ["drive": "send", "actions": .array(ValueArray(actions))]
      case .pause: ["drive": "pause"]
      case .resume: ["drive": "resume"]
      case .back: ["drive": "back"]
      case .show(let state, let words, _):
        Value.line(["drive": "show", "state": state, "words": words])
      case .own: ["drive": "own"]
      case .lock: ["drive": "lock"]
      case .unlock: ["drive": "unlock"]
      case .commit: ["drive": "commit"]
      case .revert: ["drive": "revert"]
      }
    let failure = try evaluate("drive", words, within: .seconds(60))
    if !failure.isEmpty { throw UsageError(what: "the app refuses it: \(failure)") }
    let note: String? =
      switch order {
      case .lock: "the app is locked: its actions change nothing"
      case .unlock: "the app is unlocked"
      default: nil
      }
    if let note { recorder?.say(note, in: id) }
  }

  /// The store shows its own state again. Its page may hang, so nothing waits for it.
  func release() {
    let words = "\(Self.sign).drive(\(store),{\"drive\":\"own\"})"
    connection.send(
      "Runtime.evaluate",
      ["expression": .string(words), "contextId": .number(Number(context))])
    end()
  }

  func end() { connection.end() }
}

/// The debugger's hold on one store. Orders to show a state come often and share a connection.
final class DrivenStore: Sendable {
  private let open: @Sendable () throws -> PageStore
  private let showing = Locked<(page: PageStore?, number: Int)>((nil, 0))

  init(_ place: HTTPConnection.Place, store: String) {
    open = { try PageStore(place, store: store) }
  }

  func carryOut(_ order: RunningApp.Order, _ recorder: LiveRecorder) throws {
    let number: Int
    switch order {
    case .show(_, _, let given), .own(let given): number = given
    default:
      let page = try open()
      defer { page.end() }
      return try page.carryOut(order, recorder)
    }
    try showing.withLock { showing in
      guard number >= showing.number else { return }
      showing.number = number
      let page = try showing.page ?? open()
      showing.page = nil
      do { try page.carryOut(order) } catch {
        page.end()
        throw error
      }
      showing.page = page
    }
  }

  func release() {
    showing.withLock { showing in
      showing.page?.release()
      showing.page = nil
    }
  }
}
