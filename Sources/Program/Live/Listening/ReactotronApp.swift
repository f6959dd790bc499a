import Platform
import SessionWords
import Sockets
import ValueTree

/// An app with Reactotron's client. It sends its actions without states, so it is asked for its state after
/// them.
struct ReactotronApp: ListenedApp {
  private let store: ListenedStore
  private let id: String
  private var name = "app"
  /// The last action, which waits for the state after it.
  private var waiting: LiveSession.Entry?
  private var isAsked = false
  private var time: Double?

  init(_ store: ListenedStore) {
    self.store = store
    id = store.id("store")
  }

  mutating func hear(_ message: [UInt8], answer: Answer) throws {
    let value = try Value(parsing: message)
    let payload = value["payload"] ?? .null
    time = value["date"]?.string.flatMap { UTCText.milliseconds(of: $0) }.map(Double.init) ?? time
    switch value["type"]?.string {
    case "client.intro":
      name = payload["name"]?.string.map { store.recorder.shown($0) } ?? name
      if payload["clientId"]?.string == nil {
        let new = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        try answer((["type": "setClientId", "payload": .string(new)] as Value).text())
      }
      try ask(answer)
    case "state.action.complete":
      if let waiting { add(waiting) }
      let action = Self.plain(payload["action"] ?? .null)
      var entry = LiveSession.Entry(action: action, .unknown)
      if let name = payload["name"]?.string, !name.isEmpty { entry.label = name }
      entry.time = time
      waiting = entry
      // A large one does not wait for its state, so that many apps take little memory.
      if entry.action.weight > 4 << 20, let large = exchange(&waiting, with: nil) { add(large) }
      try ask(answer)
    case "state.backup.response":
      isAsked = false
      record(Self.plain(payload["state"] ?? .null))
    default: break
    }
  }

  /// Messages keep their order, so the state is the one after the last action here.
  private mutating func record(_ state: Value) {
    if var entry = waiting {
      entry.change = .state(state)
      add(entry)
      waiting = nil
    } else {
      store.recorder.start(id, start(state))
    }
  }

  private mutating func ask(_ answer: Answer) throws {
    guard !isAsked else { return }
    isAsked = true
    try answer(#"{"type":"state.backup.request","payload":{}}"#)
  }

  func end() { if let waiting { add(waiting) } }

  private func add(_ entry: LiveSession.Entry) {
    store.recorder.start(id, start(nil))
    store.recorder.add(entry, to: id)
  }

  private func start(_ state: Value?) -> LiveSession.Start {
    LiveSession.Start(name: name, state: state, time: time, format: "live Reactotron")
  }

  /// The client sends some values as texts such as `~~~ false ~~~`.
  private static func plain(_ value: Value) -> Value {
    switch value {
    case .string(let text):
      guard text.hasPrefix("~~~ "), text.hasSuffix(" ~~~"), text.utf8.count > 8 else {
        return value
      }
      let word = String(text.dropFirst(4).dropLast(4))
      return words[word] ?? .string(word)
    case .array(let array): return .array(ValueArray(array.map(plain)))
    case .object(let object):
      return .object(
        ValueObject(
          object.filter { $0.value != "~~~ undefined ~~~" }
            .map { (key: $0.key, value: plain($0.value)) }))
    default: return value
    }
  }

  private static let words: [String: Value] = [
    "undefined": .null, "null": .null, "false": false, "zero": 0, "empty string": "",
    "Circular Reference": "[Circular]", "anonymous function": "[Function ]",
  ]
}
