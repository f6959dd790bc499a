import SessionFile
import SessionImports
import SessionWords
import Sockets
import ValueTree

/// An app with `@redux-devtools/remote`, or with a package for another language that speaks alike, over
/// SocketCluster.
struct SocketClusterApp: ListenedApp {
  private let store: ListenedStore
  private let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  init(_ store: ListenedStore) { self.store = store }

  /// Of both versions of SocketCluster's protocol.
  var pings: [String] { ["", "#1"] }

  mutating func hear(_ message: [UInt8], answer: Answer) throws {
    // Answers to pings.
    guard !message.isEmpty, message != Array("#2".utf8) else { return }
    guard message != Array("#1".utf8) else { return try answer("#2") }
    let value = try Value(parsing: message)
    guard case .array(let events) = value else { return try handle(value, answer) }
    for event in events { try handle(event, answer) }
  }

  private func handle(
    _ event: Value, _ answer: Answer
  ) throws {
    let data = event["data"] ?? .null
    func acknowledge(_ words: Value? = nil) throws {
      guard let id = event["cid"] else { return }
      var members: [ValueObject.Element] = [("rid", id)]
      if let words { members.append(("data", words)) }
      try answer(Value.object(ValueObject(members)).text())
    }
    switch event["event"]?.string {
    case "#handshake":
      try acknowledge([
        "id": .string(name), "pingTimeout": 20_000, "isAuthenticated": false,
      ])
    case "login": try acknowledge("respond")
    case "#subscribe":
      try acknowledge()
      let channel = data["channel"] ?? data
      let start: Value = ["channel": channel, "data": ["type": "START"]]
      try answer((["event": "#publish", "data": start] as Value).text())
    case "log", "log-noid":
      add(data)
      try acknowledge()
    default: try acknowledge()
    }
  }

  // MARK: The store

  private func add(_ message: Value) {
    let instance = (message["instanceId"] ?? message["id"])?.string ?? ""
    let id = store.id(instance)
    let payload = message["payload"].flatMap(Self.value)
    switch message["type"]?.string {
    case "INIT":
      // These name another instance with each connection.
      store.recorder.start(id, start(message, payload, time: nil))
    case "STATE":
      if let payload, case .array(let states)? = payload["computedStates"] {
        addLifted(payload, states, message, id, instance)
      }
    case "ACTION": addAction(message, payload, id)
    case "ERROR":
      if let words = message["payload"]?.string { store.recorder.say(words, in: id) }
    default: break
    }
  }

  /// All that the app still has. Of this the new actions are added.
  private func addLifted(
    _ lifted: Value, _ states: ValueArray, _ message: Value, _ id: String, _ instance: String
  ) {
    guard case .array(let numbers)? = lifted["stagedActionIds"], let first = numbers.first?.whole,
      numbers.count == states.count
    else { return store.recorder.refuse("refused states that name no actions") }
    let key = "redux \(instance.clipped(to: 200))"
    if !store.recorder.has(id),
      store.recorder.rejoin(id, key: key).map({ $0 < first }) == true
    {
      store.recorder.say("actions that the app no longer has are missing here", in: id)
    }
    let time = lifted["actionsById"]?["\(first)"]?["timestamp"]?.double
    store.recorder.start(id, start(message, states.first?["state"], time: time), key: key)
    for (number, state) in zip(numbers, states).dropFirst() {
      guard let number = number.whole, let action = lifted["actionsById"]?["\(number)"] else {
        continue
      }
      add(action, state["state"], error: state["error"]?.string, number, to: id)
    }
    store.recorder.with(id) { $0.received = max($0.received, first + 1) }
  }

  private func addAction(_ message: Value, _ state: Value?, _ id: String) {
    guard let action = message["action"].flatMap(Self.value) else {
      return store.recorder.refuse("refused a message without its action")
    }
    store.recorder.start(id, start(message, nil, time: action["timestamp"]?.double))
    let number = message["nextActionId"]?.whole.map { $0 - 1 }
    add(action, state, error: nil, number, to: id)
  }

  private func add(
    _ lifted: Value, _ state: Value?, error: String?, _ number: Int?, to id: String
  ) {
    let isLifted = lifted["type"] == "PERFORM_ACTION" || lifted["type"] == nil
    let action = isLifted ? lifted["action"].flatMap(Self.value) ?? lifted : lifted
    var entry = LiveSession.Entry(action: action, state.map { .state($0) } ?? .unknown)
    entry.error = error
    (entry.time, entry.stack) = (lifted["timestamp"]?.double, lifted["stack"]?.string)
    store.recorder.with(id) { session throws(SessionError) -> Void in
      if let number {
        guard number >= session.received else { return }
        session.received = number + 1
      }
      try session.add(entry)
    }
  }

  private func start(_ message: Value, _ state: Value?, time: Double?) -> LiveSession.Start {
    let name = message["name"]?.string ?? ""
    return LiveSession.Start(
      name: name.isEmpty ? "redux" : name, state: state, time: time, format: "live Redux DevTools")
  }

  /// Apps send values, or their text.
  private static func value(_ value: Value) -> Value? {
    guard let text = value.string else { return value }
    return JavaScriptText.value(of: text) ?? value
  }
}

extension Value {
  /// A whole number of a message that counts something.
  var whole: Int? { double.flatMap { Int(exactly: $0) }.flatMap { abs($0) < 1 << 50 ? $0 : nil } }
}
