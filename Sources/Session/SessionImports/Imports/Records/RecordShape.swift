import SessionFile
import SessionWords
import ValueTree

/// A tool's notation of an action: the meaning of a record's members.
///
/// A new tool is one row. The first record's members choose it; members that a row does not name
/// are left out, and unknown shapes are never guessed.
struct RecordShape: Sendable {
  var tool: String
  var marks: Set<String>
  /// The member that tells records of actions from others, and its value there.
  var only: (member: String, value: String)?
  /// The same for records with only a state, and its path.
  var stateRecord: (type: String, path: [String])?
  /// The action's path; empty if the record is the action.
  var action: [String] = ["action"]
  var before: String?
  var after: String?
  /// Whether the record is a change of the state (one RFC 6902 operation).
  var isPatch = false
  var order: String?
  var labels: [[String]] = [["action", "type"], ["action", "name"]]
  /// The paths of the time; the first existing one counts.
  var time: (members: [String], unit: Unit)?
  var list: String?
  var initial: String?
  /// The path of the state after the last record, and the neighbouring file that may have it.
  var final: (path: [String], file: String)?

  var caveat: String?

  enum Unit: Sendable {
    case seconds
    /// Only differences matter; or a date.
    case clockSeconds, clockMilliseconds
    case delayMilliseconds

    var isClock: Bool { self == .clockSeconds || self == .clockMilliseconds }
  }

  /// The rows with the most requirements come first.
  static let all = [
    RecordShape(
      tool: "Flipper", marks: ["action", "before", "after"], before: "before", after: "after",
      labels: [["action", "type"]], time: (["time"], .clockMilliseconds)),
    RecordShape(
      tool: "Fluxor Explorer", marks: ["action", "oldState", "newState"], before: "oldState",
      after: "newState", labels: [["action", "name"]], time: (["date"], .clockSeconds)),
    RecordShape(
      tool: "redux-logger", marks: ["action", "nextState"], before: "prevState",
      after: "nextState", time: (["time", "startedTime", "timestamp"], .clockMilliseconds)),
    RecordShape(
      tool: "Vuex, Pinia", marks: ["mutation", "state"], action: ["mutation"], after: "state",
      labels: [["mutation", "type"]]),
    RecordShape(
      tool: "Reactotron", marks: ["type", "payload", "deltaTime"],
      only: ("type", "state.action.complete"),
      stateRecord: ("state.backup.response", ["payload", "state"]),
      action: ["payload", "action"], order: "messageId",
      labels: [["payload", "name"], ["payload", "action", "type"], ["type"]],
      time: (["deltaTime"], .delayMilliseconds),
      caveat: "states are known only where a backup of them was taken"),
    RecordShape(
      tool: "Rozenite", marks: ["direction", "pluginId", "payload"], action: [],
      labels: [["type"]], time: (["timestamp"], .clockMilliseconds)),
    jsonLines(["action", "state"]),
    RecordShape(
      tool: "ReSwift-Recorder", marks: ["timestamp", "action"], after: "state",
      labels: [["action", "type"]], time: (["timestamp"], .clockSeconds)),
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
      tool: "Sentry", marks: ["category", "data"], only: ("category", "redux.action"),
      action: ["data"],
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
    jsonLines(["action"]),
    jsonLines(["state"]),
    jsonLines(["lost"]),
    RecordShape(tool: "JSON Lines", marks: ["type"], action: [], labels: [["type"]]),
  ]

  private static func jsonLines(_ marks: Set<String>) -> RecordShape {
    RecordShape(
      tool: "JSON Lines", marks: marks, after: "state",
      labels: [["label"], ["type"], ["action", "type"], ["action", "name"], ["action"]],
      time: (["time", "timestamp", "date"], .seconds))
  }

  private static let elmCaveat = "a history of Elm holds messages, no model and no times"
  private static let patchCaveat = "labels from `op`: a patch does not tell its action"

  /// Tools for reducers in languages other than JavaScript.
  static let ofOtherLanguages: Set = [
    "Fluxor Explorer", "ReSwift-Recorder", "Elm 0.19", "Elm 0.18", "JSON Lines",
  ]

  /// The row for records with these members, as lines or a list, or under one of these members.
  static func of(record: Value, under list: String? = nil) -> RecordShape? {
    guard case .object(let object) = record else { return nil }
    return of(record: Set(object.map(\.key)), under: list)
  }

  static func of(record members: Set<String>, under list: String? = nil) -> RecordShape? {
    all.first { ($0.list == nil || $0.list == list) && $0.marks.isSubset(of: members) }
  }

  /// A record with a name but no `action` is the action, without its state.
  private func namedAction(of record: Value) -> Value? {
    guard needsAction, case .object(var action) = record,
      action["label"]?.isName == true || action["type"]?.isName == true
    else { return nil }
    if let after { action[after] = nil }
    return .object(action)
  }

  private func label(of record: Value, _ action: Value) -> String {
    for path in labels {
      guard let text = record.member(at: path)?.string else { continue }
      return action["storeId"]?.string.map { MadeLabel.of(text, in: $0) } ?? text
    }
    if case .object(let object) = action, object.count == 1, let key = object.first?.key {
      return key
    }
    return MadeLabel.none
  }

  /// The records in which a time is looked for, and their bytes.
  private static let searchedForTime = (records: 1_000, bytes: 1 << 21)

  /// Takes the unit from the first time of records, one after the other.
  mutating func findUnit(
    in file: FileBytes, from first: Range<Int>?, _ next: () throws -> Range<Int>?
  ) {
    let members = (time?.members ?? []).map { [$0][...] }
    var record = first
    for _ in 0..<Self.searchedForTime.records {
      guard let range = record, let bytes = try? file.bytes(range) else { return }
      let told = bytes.withUnsafeBufferPointer {
        ValueScanner($0.record).pick(members, from: 0)
      }
      guard !readUnit(from: told ?? .null), range.upperBound < Self.searchedForTime.bytes else {
        return
      }
      record = try? next()
    }
  }

  /// Whether a record tells the time, and so the unit: dates, and numbers beyond any session's
  /// seconds, are of a clock.
  private mutating func readUnit(from record: Value) -> Bool {
    guard let (members, unit) = time, unit == .seconds || unit == .clockSeconds else { return true }
    switch members.lazy.compactMap({ record[$0] }).first {
    case .string(let text)? where UTCText.milliseconds(of: text) != nil:
      if unit == .seconds { time?.unit = .clockMilliseconds }
    case .number(let number)? where number.doubleValue >= 1e11: time?.unit = .clockMilliseconds
    case .number(let number)? where number.doubleValue >= 1e8: time?.unit = .clockSeconds
    case .number?: break
    default: return false
    }
    return true
  }

  /// As told: a delay, or a time of a clock.
  func time(told: Value?) -> Duration? {
    guard let unit = time?.unit else { return nil }
    switch unit {
    case .seconds: return Duration(decimalSeconds: told)
    case .delayMilliseconds: return Duration(decimalSeconds: told).map { $0 / 1_000 }
    case .clockSeconds, .clockMilliseconds:
      switch told {
      // Larger than any session's seconds, so since 1970.
      case .number(let number) where number.doubleValue.magnitude < 1e15:
        let milliseconds = number.doubleValue * (unit == .clockSeconds ? 1_000 : 1)
        return .milliseconds(Int64(milliseconds.rounded()))
      case .string(let text): return UTCText.milliseconds(of: text).map { .milliseconds($0) }
      default: return nil
      }
    }
  }

  /// The content of a record, or a fault.
  func record(_ record: Value) throws(LineFault) -> LineRecord {
    let after = self.after.flatMap { record[$0] }?.payload
    let action = record.member(at: self.action)?.payload ?? namedAction(of: record)
    if action == nil, needsAction, let lost = record["lost"]?.string {
      return .step(.damaged(0, lost), before: nil, after: after)
    }
    if action == nil, let after { return .state(after) }
    if action == nil, let note = record["dependency"] ?? record["dependencySet"] {
      return .note("dependency", note.payload)
    }
    if action == nil, let note = record["@note"]?.string { return .note(note, nil) }
    guard case .object = record, let action = action ?? (needsAction ? nil : record) else {
      throw LineFault(reason: Self.noAction)
    }
    var step = Step(
      number: 0, time: time(told: time?.members.lazy.compactMap { record[$0] }.first),
      label: label(of: record, action), action: action)
    if !self.action.isEmpty {
      step.isSkipped = record["skipped"] == true
      step.error = record["error"]?.string
      step.stack = record["stack"]?.string
    }
    return .step(step, before: before.flatMap { record[$0]?.payload }, after: after)
  }

  /// Whether a record without an action is a mistake, not a step to look at.
  var needsAction: Bool { tool == "JSON Lines" }

  static let noAction = "expected {\"action\": …, \"state\": …}, found no \"action\""
}

extension Value {
  /// Whether it can name an action: a text, or a number of an enum in TypeScript.
  fileprivate var isName: Bool {
    switch self {
    case .string, .number: true
    default: false
    }
  }

  func member(at path: [String]) -> Value? { path.reduce(Value?.some(self)) { $0?[$1] } }

  /// Swift writes an unnamed payload as `_0`.
  var payload: Value {
    guard case .object(let object) = self, object.count == 1 else { return self }
    return object["_0"] ?? self
  }
}
