import Sockets
import ValueTree

/// An app with XState's inspector, which tells about each actor. A root actor is a session.
struct XStateApp: ListenedApp {
  private let store: ListenedStore
  private var names: [String: String] = [:]

  init(_ store: ListenedStore) { self.store = store }

  mutating func hear(_ message: [UInt8], answer: Answer) throws {
    let value = try Value(parsing: message)
    // Other messages hold no state of a root actor.
    guard let actor = value["sessionId"]?.string, actor.utf8.count < 200,
      let snapshot = value["snapshot"],
      value["rootId"] == nil || value["rootId"]?.string == actor
    else { return }
    let id = store.id(actor)
    let state = Self.state(snapshot)
    let time = value["createdAt"]?.string.flatMap { Double($0) }
    if value["type"] == "@xstate.actor", names.count < 256 {
      names[actor] = value["name"]?.string.map { store.recorder.shown($0) }
    }
    if !store.recorder.has(id) {
      var start = LiveSession.Start(
        name: names[actor] ?? "machine", state: state, time: time, format: "live XState")
      start.capability = .browse(because: "an inspector sends no machine that could run")
      store.recorder.start(id, start)
      store.recorder.say(
        "XState’s inspector cuts states at a depth of 10, and tells only a root actor’s own", in: id
      )
    }
    guard value["type"] == "@xstate.snapshot", let event = value["event"] else { return }
    // The first snapshot is the state of the start.
    if event["type"] == "xstate.init" { return }
    var entry = LiveSession.Entry(action: event, .state(state))
    entry.time = time
    store.recorder.add(entry, to: id)
  }

  private static func state(_ snapshot: Value) -> Value {
    let members = ["value", "context", "status", "error", "output"].compactMap { key in
      snapshot[key].map { (key: key, value: $0) }
    }
    return .object(ValueObject(members))
  }
}
