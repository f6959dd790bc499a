import Platform
import SessionWords
import Sockets
import ValueTree

/// Puts the shim into a page or into node, and records what its stores send.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
package final class PageRecording: @unchecked Sendable {
  package let place: HTTPConnection.Place
  private let recorder: LiveRecorder
  let binding: String
  private let source: String
  private let fallbackName: String
  private let lock = Lock()
  private var pieces = PagePieces()
  private let over = Latch()
  private(set) var connection: DevToolsConnection?
  private var reason: String?
  /// The stores of each context: a load of a page or of a frame.
  private var stores: [String: Set<String>] = [:]

  /// `shim` is the source of a function of a binding's name and options.
  package init(
    _ place: HTTPConnection.Place, shim: String, trace: Bool, name: String, _ recorder: LiveRecorder
  ) throws {
    self.place = place
    self.recorder = recorder
    fallbackName = name
    binding = "retcon" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    source = "(\n\(shim)\n)(\"\(binding)\",{\"trace\":\(trace)})"
    connection = try DevToolsConnection(
      to: place,
      onEnd: { [weak self] reason in self?.ended(reason) },
      { [weak self] event, parameters, session, connection in
        self?.hear(event, parameters, session, connection)
      })
  }

  /// Puts the shim in. `isStart` says that the app has not begun. Stores that are there already are
  /// not recorded if the page is about to load again.
  package func begin(isStart: Bool = false, reloads: Bool = false) throws {
    guard let connection else { return impossible("init makes the connection") }
    try connection.ask("Runtime.enable")
    try connection.ask("Runtime.addBinding", ["name": .string(binding)])
    if isNode {
      connection.send("NodeRuntime.enable")
      connection.send("NodeRuntime.notifyWhenWaitingForDisconnect", ["enabled": true])
    } else {
      connection.send("Inspector.enable")
      _ = try? connection.ask("Page.enable")
      _ = try? connection.ask("Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)])
      connection.send("Target.setAutoAttach", Self.autoAttach)
    }
    if reloads { return try reload() }
    let result = try connection.ask("Runtime.evaluate", ["expression": .string(source)])
    if let words = result["exceptionDetails"]?["exception"]?["description"]?.string {
      throw ConnectionError("the page refuses the recorder: \(words.clipped(to: 500))")
    }
    if isStart { try connection.ask("Runtime.runIfWaitingForDebugger") }
  }

  package func navigate(to address: String) throws {
    let result = try connection?.ask("Page.navigate", ["url": .string(address)])
    if let words = result?["errorText"]?.string {
      throw ConnectionError("cannot open \(address): \(words.clipped(to: 200))")
    }
  }

  package func reload() throws { try connection?.ask("Page.reload") }

  /// Frames and workers in processes of their own wait until the shim is in.
  private static let autoAttach: Value = [
    "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
  ]

  func hear(
    _ event: String, _ parameters: Value, _ session: String?, _ connection: DevToolsConnection
  ) {
    switch event {
    case "Runtime.bindingCalled" where parameters["name"]?.string == binding:
      guard let payload = parameters["payload"]?.string else {
        return recorder.refuse("refused a message of the page without a text")
      }
      let context = "\(session ?? "") \(parameters["executionContextId"]?.text() ?? "")"
      receive(payload, from: context)
    case "Target.attachedToTarget":
      guard let id = parameters["sessionId"]?.string else {
        return recorder.refuse("refused a frame or a worker of the page without its session")
      }
      connection.send("Runtime.enable", in: id)
      connection.send("Runtime.addBinding", ["name": .string(binding)], in: id)
      connection.send("Page.enable", in: id)
      connection.send(
        "Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)], in: id)
      connection.send("Target.setAutoAttach", Self.autoAttach, in: id)
      connection.send("Runtime.evaluate", ["expression": .string(source)], in: id)
      connection.send("Runtime.runIfWaitingForDebugger", in: id)
    case DevToolsConnection.unreadable:
      recorder.lose(because: "a message of the debugging port cannot be read")
    case "Runtime.executionContextDestroyed" where !isNode:
      let id = parameters["executionContextId"]?.text() ?? ""
      left { $0 == "\(session ?? "") \(id)" }
    case "Runtime.executionContextsCleared": left { $0.hasPrefix("\(session ?? "") ") }
    case "Target.detachedFromTarget":
      left { $0.hasPrefix("\(parameters["sessionId"]?.string ?? "-") ") }
    case "Inspector.targetCrashed": ended("the page crashed")
    case "Inspector.detached" where parameters["reason"] == "target_closed":
      ended("the page was closed")
    case "NodeRuntime.waitingForDisconnect": ended("the program has ended")
    case "Runtime.executionContextDestroyed"
    where isNode && parameters["executionContextId"] == 1:
      ended("the program has ended")
    default: break
    }
  }

  /// Ends the sessions of contexts that are gone.
  private func left(_ isGone: (_ context: String) -> Bool) {
    let gone = lock.withLock {
      let contexts = stores.keys.filter(isGone)
      return Set(contexts.flatMap { stores.removeValue(forKey: $0) ?? [] })
    }
    if !gone.isEmpty { recorder.end(because: "the page was left or loaded again", gone.contains) }
  }

  private var isNode: Bool { place.isOfNode }

  private func ended(_ words: String) {
    // Of an app that was let go, its end says nothing.
    lock.withLock { reason = reason ?? words }
    over.open()
  }

  /// Returns when the app has ended, and says how.
  package func wait() -> String {
    over.wait()
    return lock.withLock { reason ?? "" }
  }

  /// Whether the app has ended by itself.
  package var hasEnded: Bool { lock.withLock { reason?.isEmpty == false } }

  /// Ends the waiting, as Ctrl-C does.
  package func stop() { ended("") }

  /// Waits until all that the page has recorded is here. A page that hangs may keep the rest.
  package func settle(within timeout: Duration = .seconds(4)) {
    guard !hasEnded else { return }
    let flush = "globalThis[Symbol.for(\"retcon\")]?.flush()"
    _ = try? connection?.ask(
      "Runtime.evaluate", ["expression": .string(flush)], within: timeout)
  }

  /// Lets the app go.
  package func end() {
    stop()
    settle()
    connection?.end()
  }

  // MARK: Messages of the page

  private func receive(_ payload: String, from context: String) {
    let text: String?
    do throws(ConnectionError) {
      text = try lock.withLock { () throws(ConnectionError) in
        try pieces.add(payload, from: context)
      }
    } catch {
      return recorder.lose(because: error.description)
    }
    guard let text else { return }
    guard case .array(let entries)? = try? Value(parsing: text) else {
      return recorder.refuse("refused a text of the page that is no list of steps")
    }
    for entry in entries { record(entry, context) }
    recorder.flush()
  }

  private func record(_ entry: Value, _ context: String) {
    if let id = entry["start"]?.string, id.utf8.count < 100 {
      recorder.start(id, start(entry))
      if recorder.has(id) { _ = lock.withLock { stores[context, default: []].insert(id) } }
      if let reason = entry["lost"]?.string { recorder.say(reason, in: id) }
    } else if entry["isRefused"] == true {
      recorder.refuse("refused a store: a page has at most 64")
    } else if let id = entry["of"]?.string {
      recorder.add(Self.step(entry), to: id)
    } else if case .array(let ids)? = entry["left"] {
      let ids = Set(ids.compactMap(\.string))
      recorder.end(because: "another retcon attach records the app now", ids.contains)
    }
  }

  private func start(_ entry: Value) -> LiveSession.Start {
    let names = [entry["name"]?.string, entry["title"]?.string, fallbackName]
    let name = names.compactMap(\.self).first { !$0.isEmpty } ?? "app"
    var start = LiveSession.Start(
      name: name, state: entry["lost"] == nil ? entry["state"] : nil, time: entry["time"]?.double,
      format: "live app")
    start.reduces = entry["reduces"] == true
    if case .array(let options)? = entry["hides"] {
      start.hiding = options.prefix(8).compactMap { $0.string?.clipped(to: 40) }
    }
    return start
  }

  private static func step(_ entry: Value) -> LiveSession.Entry {
    let action = entry["action"] ?? .null
    var change = LiveSession.Entry.Change.patch(entry["patch"] ?? [])
    if let reason = entry["lost"]?.string { change = .lost(reason) }
    var step = LiveSession.Entry(action: action, change)
    if entry["hidden"] == true { step.change = .hidden }
    step.label = entry["label"]?.string ?? step.label
    step.time = entry["time"]?.double
    (step.error, step.errorLines) = (entry["error"]?.string, 2)
    step.stack = entry["stack"]?.string
    step.mutatedPlace = entry["mutated"]?.string
    return step
  }
}

extension Value {
  package var double: Double? {
    if case .number(let number) = self { number.doubleValue } else { nil }
  }
}

extension HTTPConnection.Place {
  /// Chromium's and Metro's places name the page.
  package var isOfNode: Bool { !path.hasPrefix("/devtools/") && !path.hasPrefix("/inspector/") }
}
