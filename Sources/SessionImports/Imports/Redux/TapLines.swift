import Platform
import SessionFile
import SessionWords
import ValueTree

/// The messages that Rozenite's tap prints. Those of a Redux store hold texts of its actions and states.
struct TapLines: LineFormat {
  let tool = "Rozenite"
  let hasStateBefore = false
  let hasClock = true
  private let store = Locked(Store())

  /// The first store in the file: its actions are steps, those of others are notes.
  private struct Store {
    var id: Value?
    var hasAction = false
    /// Snapshots up to this time are from before the first action, and tell the first state.
    var start = 0.0
  }

  /// Looks for the first action, so that records can be read in any order. A file that has none yet
  /// may get it while it is followed.
  init(_ file: FileBytes) {
    var lines = LineRanges(file: file)
    while !store.withLock(\.hasAction), let line = try? lines.next() {
      try? file.bytes(line).withUnsafeBufferPointer(learn)
    }
  }

  private static let marks = ByteSearch.all(for: Array("redux-devtools-plugin".utf8))

  private func learn(from line: UnsafeBufferPointer<UInt8>) {
    store.withLock { store in
      guard !store.hasAction, Self.marks.isFound(in: UnsafeRawBufferPointer(line)),
        let message = try? value(of: line), let request = Self.request(in: message)
      else { return }
      store.id = store.id ?? Self.id(of: request)
      guard Self.id(of: request) == store.id else { return }
      store.start = max(store.start, Self.time(of: message) ?? .infinity)
      store.hasAction = request["type"] == "ACTION"
    }
  }

  private static func id(of request: Value) -> Value { request["instanceId"] ?? .null }

  private static func time(of message: Value) -> Double? {
    if case .number(let time)? = message["timestamp"] { max(0, time.doubleValue) } else { nil }
  }

  private static func request(in message: Value) -> Value? {
    guard message["pluginId"] == "@rozenite/redux-devtools-plugin",
      message["payload"]?["type"] == "state-update"
    else { return nil }
    return message["payload"]?["request"]
  }

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind {
    learn(from: line)
    return parsedKind(of: line)
  }

  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers? { nil }

  func label(of members: StepMembers) -> Range<Int>? { nil }

  func record(_ line: Value) throws(LineFault) -> LineRecord {
    guard let name = line["type"]?.string else { throw LineFault(reason: "it holds no message") }
    let store = store.withLock { $0 }
    let request = Self.request(in: line).flatMap { Self.id(of: $0) == store.id ? $0 : nil }
    func told(_ key: String) -> Value? {
      (request?[key]?.string).flatMap(JavaScriptText.value)
    }
    if request?["type"] == "ACTION", let entry = told("action") {
      let action = entry["action"] ?? entry
      var step = Step(
        number: 0,
        time: Self.time(of: line).flatMap { $0 < 1e15 ? .milliseconds(Int64($0)) : nil },
        label: ReduxAction.label(action), action: action)
      step.stack = entry["stack"]?.string
      return .step(step, before: nil, after: told("payload"))
    }
    // The app sends one for each action that it still has; one of them has the state of now.
    if !store.hasAction || Self.time(of: line) ?? .infinity <= store.start,
      let lifted = told("payload"),
      case .array(let ids)? = lifted["stagedActionIds"],
      lifted["currentStateIndex"] == .number(Number(ids.count - 1)),
      case .array(let states)? = lifted["computedStates"], let state = states.last?["state"]
    {
      return .state(state)
    }
    return .note(name, line["payload"])
  }
}
