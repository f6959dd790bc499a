import SessionFile
import SessionWords
import ValueTree

/// The messages that Rozenite's tap prints. Those of a Redux store hold texts of its actions and states.
struct TapLines: LineFormat {
  let tool = "Rozenite"
  let hasStateBefore = false
  let hasClock = true
  /// The store whose actions are steps; those of others are notes.
  private let store: Value?
  /// The time of the first action. Snapshots before it tell the first state.
  private let start: Double

  init(_ first: [Value]) {
    let store = first.lazy.compactMap { Self.request(in: $0)?["instanceId"] }.first
    self.store = store
    start =
      first.first {
        let request = Self.request(in: $0)
        return request?["type"] == "ACTION" && request?["instanceId"] == store
      }.flatMap(Self.time) ?? .infinity
  }

  private static func time(of message: Value) -> Double? {
    if case .number(let time)? = message["timestamp"] { max(0, time.doubleValue) } else { nil }
  }

  private static func request(in message: Value) -> Value? {
    guard message["pluginId"] == "@rozenite/redux-devtools-plugin",
      message["payload"]?["type"] == "state-update"
    else { return nil }
    return message["payload"]?["request"]
  }

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind { parsedKind(of: line) }

  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers? { nil }

  func label(of members: StepMembers) -> Range<Int>? { nil }

  func record(_ line: Value) throws(LineFault) -> LineRecord {
    guard let name = line["type"]?.string else { throw LineFault(reason: "it holds no message") }
    let request = Self.request(in: line).flatMap { $0["instanceId"] == store ? $0 : nil }
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
    if Self.time(of: line) ?? .infinity <= start, let lifted = told("payload"),
      case .array(let ids)? = lifted["stagedActionIds"],
      lifted["currentStateIndex"] == .number(Number(ids.count - 1)),
      case .array(let states)? = lifted["computedStates"], let state = states.last?["state"]
    {
      return .state(state)
    }
    return .note(name, line["payload"])
  }
}
