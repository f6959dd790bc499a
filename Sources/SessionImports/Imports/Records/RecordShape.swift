import ValueTree

/// How a tool writes one action down: which member of a record is what.
///
/// A new tool is one row. Which it is, is told by the members of the first record; what a row does not
/// name is left out of the session, and what no row knows is never guessed.
struct RecordShape: Sendable {
  /// What its files are called.
  var tool: String
  /// The members that its first record has.
  var marks: Set<String>
  /// The value of the member `type` in records of actions, where others stand between them.
  var type: String?
  /// The same in records that hold nothing but the state, and where that stands.
  var stateRecord: (type: String, path: [String])?
  /// Where the action stands; with none the record is the action.
  var action: [String] = ["action"]
  var before: String?
  var after: String?
  /// The record is a change of the state (RFC 6902, in one operation).
  var isPatch = false
  /// A member that goes up from record to record, in whatever order they stand.
  var order: String?
  /// Where the label stands in a record, the first that is a text.
  var labels: [[String]] = [["action", "type"], ["action", "name"]]
  /// Where the time stands, the first that is there.
  var time: (members: [String], unit: Unit)?
  /// The member of the file that holds the records, where it is an object.
  var list: String?
  /// The member of such a file that holds the state before the first of them.
  var initial: String?
  /// Where such a file holds the state after the last of them, and the file beside it that may.
  var final: (path: [String], file: String)?

  /// What its files do not tell, or what stands for it.
  var caveat: String?

  enum Unit: Sendable {
    /// Since the start of the session.
    case seconds
    /// Of which only differences mean something; or a date.
    case clockSeconds, clockMilliseconds
    /// Since the record before.
    case delayMilliseconds
  }

  /// The more a row asks for, the earlier it stands.
  static let all = [
    RecordShape(
      tool: "Flipper", marks: ["action", "before", "after"], before: "before", after: "after",
      labels: [["action", "type"]], time: (["time"], .clockMilliseconds)),
    RecordShape(
      tool: "Fluxor Explorer", marks: ["action", "oldState", "newState"], before: "oldState",
      after: "newState", labels: [["action", "name"]], time: (["date"], .clockSeconds)),
    RecordShape(
      tool: "redux-logger", marks: ["action", "prevState", "nextState"], before: "prevState",
      after: "nextState", time: (["time", "startedTime", "timestamp"], .clockMilliseconds)),
    RecordShape(
      tool: "Vuex, Pinia", marks: ["mutation", "state"], action: ["mutation"], after: "state",
      labels: [["mutation", "type"]]),
    RecordShape(
      tool: "Reactotron", marks: ["type", "payload", "deltaTime"], type: "state.action.complete",
      stateRecord: ("state.backup.response", ["payload", "state"]),
      action: ["payload", "action"], order: "messageId",
      labels: [["payload", "name"], ["payload", "action", "type"], ["type"]],
      time: (["deltaTime"], .delayMilliseconds),
      caveat: "states are known only where a backup of them was taken"),
    RecordShape(
      tool: "ReSwift-Recorder", marks: ["timestamp", "action"], labels: [["action", "type"]],
      time: (["timestamp"], .clockSeconds)),
    RecordShape(
      tool: "redux-vcr", marks: ["type", "delay"], action: [], labels: [["type"]],
      time: (["delay"], .delayMilliseconds), list: "actions", initial: "initialState"),
    RecordShape(
      tool: "Elm 0.19", marks: ["$"], action: [], labels: [["$"]], list: "history",
      caveat: elmCaveat),
    RecordShape(
      tool: "Elm 0.18", marks: ["ctor"], action: [], labels: [["ctor"]], list: "history",
      caveat: elmCaveat),
    RecordShape(
      tool: "Sentry", marks: ["category", "data"], action: ["data"],
      labels: [["data", "type"], ["category"]],
      time: (["timestamp"], .clockSeconds), list: "breadcrumbs",
      final: (["contexts", "state", "state", "value"], "redux_state.json"),
      caveat: "a state is known only after the last action, and older breadcrumbs may be gone"),
    RecordShape(
      tool: "MobX-State-Tree patches", marks: ["op", "path"], action: [], isPatch: true,
      labels: [["op"]], caveat: patchCaveat),
    RecordShape(
      tool: "MobX-State-Tree patches", marks: ["op", "path"], action: [], isPatch: true,
      labels: [["op"]], list: "patches", initial: "snapshot", caveat: patchCaveat),
    RecordShape(
      tool: "MobX-State-Tree actions", marks: ["name", "args"], action: [], labels: [["name"]]),
    RecordShape(
      tool: "JSON Lines", marks: ["action"], after: "state",
      labels: [["label"], ["type"], ["action", "type"], ["action", "name"], ["action"]],
      time: (["time"], .seconds)),
    RecordShape(
      tool: "JSON Lines", marks: ["state"], after: "state",
      labels: [["label"], ["type"], ["action", "type"], ["action", "name"], ["action"]],
      time: (["time"], .seconds)),
    RecordShape(tool: "JSON Lines", marks: ["type"], action: [], labels: [["type"]]),
  ]

  private static let elmCaveat = "a history of Elm holds messages, no model and no times"
  private static let patchCaveat = "labels from `op`: a patch does not tell its action"

  /// Tools whose reducers, if any, are written in anything but JavaScript.
  static let ofOtherLanguages: Set = [
    "Fluxor Explorer", "ReSwift-Recorder", "Elm 0.19", "Elm 0.18", "JSON Lines",
  ]

  /// The row of records with these members, as lines or a list, or under one of these members of an
  /// object.
  static func of(record members: Set<String>, under list: String? = nil) -> RecordShape? {
    all.first { ($0.list == nil || $0.list == list) && $0.marks.isSubset(of: members) }
  }

  /// The state in a record that holds nothing else.
  func loneState(of record: Value) -> Value? {
    guard let stateRecord, record["type"] == .string(stateRecord.type) else { return nil }
    return record.member(at: stateRecord.path)
  }

  /// Nil in a record of something else.
  func action(of record: Value) -> Value? {
    if let type, record["type"] != .string(type) { return nil }
    return record.member(at: action)
  }

  func label(of record: Value, _ action: Value) -> String {
    for path in labels {
      guard let text = record.member(at: path)?.string else { continue }
      // A mutation of Pinia is one of three types; which store it changes says more.
      return action["storeId"]?.string.map { "\($0): \(text)" } ?? text
    }
    if case .object(let object) = action, object.count == 1, let key = object.first?.key {
      return key
    }
    return "(no type)"
  }
}

extension Value {
  func member(at path: [String]) -> Value? { path.reduce(Value?.some(self)) { $0?[$1] } }
}
