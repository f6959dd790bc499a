import SessionFile
import SessionWords
import ValueTree

/// Opens what tools write as one record an action: as lines, as a list, or as a list in an object. The
/// rows of ``RecordShape`` say how each of them does.
///
/// A record with a state and no action gives the initial state, or the state after the action before it.
/// Where the state before an action is not the one after the last, the log left something out, and a step
/// says so.
package struct RecordsImporter: SessionImporter {
  package let format = "JSON Lines"

  package init() {}

  package func recognizes(_ start: [UInt8]) -> Bool {
    switch FileStart(start) {
    case .object:
      let members = RecordStart(start)
      guard !members.names.contains("retcon") else { return false }
      return members.isList || RecordShape.of(record: Set(members.names)) != nil
    case .array:
      // A list of bare actions is Redux's.
      let names = RecordStart(start).names
      return RecordShape.of(record: Set(names)).map { $0.action != [] || !names.contains("type") }
        ?? false
    case .other: return false
    }
  }

  package func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws {
    let file = try FileBytes(path: path)
    var records = try RecordList(file)
    var target = RecordedSession(
      session, name: path.split(separator: "/").last.map(String.init),
      initial: try records.initialState())
    try records.forEach { records, record, place in
      guard let shape = records.shape else {
        throw ImportError(
          what: "expected {\"action\": …, \"state\": …}, or a record of "
            + Set(RecordShape.all.map(\.tool)).subtracting([format]).sorted().joined(
              separator: ", ") + "; found \(record.membersInWords)",
          place: place, next: "Write one object for each action")
      }
      try target.add(record, shape, at: place)
      if target.count.isMultiple(of: 256) {
        try progress(Double(records.offset) / Double(max(1, file.count)))
      }
    }
    try target.finish(with: try records.finalState())
  }
}

extension Value {
  /// The members of an object, for messages.
  fileprivate var membersInWords: String {
    guard case .object(let object) = self, !object.isEmpty else { return "no member" }
    return "the members " + object.prefix(8).map { "\"\($0.key)\"" }.joined(separator: ", ")
  }
}

/// A session that is written record by record.
private struct RecordedSession {
  private let path: String
  private let name: String?
  private let initial: Value?
  private var writer: SessionWriter?
  /// The last action, and the state after it: that may come in a record of its own.
  private var pending: (step: Step, state: Value?)?
  private var state: Value?
  private var firstTime: Duration?
  private var shape: RecordShape?
  private var time: Duration?
  /// The place of the last record, where records have one.
  private var last: Double?
  private(set) var count = 0

  init(_ path: String, name: String?, initial: Value?) {
    self.path = path
    self.name = name
    self.initial = initial
    state = initial
  }

  mutating func add(_ record: Value, _ shape: RecordShape, at place: String) throws {
    self.shape = shape
    try checkOrder(of: record, shape, at: place)
    let after =
      shape.after.flatMap { record[$0] } ?? shape.loneState(of: record)
      ?? (shape.isPatch ? patched(by: record) : nil)
    var action = shape.action(of: record)
    if action == nil, let after {
      // The state before the first action, or after the last.
      if count == 0 { state = after }
      pending?.state = after
      return
    }
    // What else a tool writes down is a step that can be seen.
    if action == nil, shape.tool != "JSON Lines" || record["dependencySet"] != nil {
      action = record
    }
    guard let action else {
      throw ImportError(
        what: "expected {\"action\": …, \"state\": …}, found no \"action\"", place: place,
        next: "Remove the line or give it an action")
    }
    try flush()
    if let before = shape.before.flatMap({ record[$0] }) {
      if count == 0 {
        state = before
      } else if let state, state != before {
        append("(a change that the log does not hold)", .null, before)
        try flush()
      }
    }
    time = time(of: record, shape)
    append(shape.label(of: record, action), action, after)
    if !shape.action.isEmpty {
      pending?.step.isSkipped = record["skipped"] == true
      if case .string(let text)? = record["error"] { pending?.step.error = text }
      if case .string(let text)? = record["stack"] { pending?.step.stack = text }
    }
  }

  /// The state after a patch, where the one before is known.
  private mutating func patched(by record: Value) -> Value? {
    let before = pending.map { $0.state } ?? state
    return try? before.map { try Patch([record]).applied(to: $0) }
  }

  private mutating func checkOrder(
    of record: Value, _ shape: RecordShape, at place: String
  ) throws {
    guard let member = shape.order, case .number(let number)? = record[member] else { return }
    if let last, number.doubleValue < last {
      throw ImportError(
        what: "the “\(member)” goes down: the newest record stands first", place: place,
        next: "Turn the list around, as `jq reverse` does")
    }
    last = number.doubleValue
  }

  private mutating func append(_ label: String, _ action: Value, _ state: Value?) {
    count += 1
    pending = (Step(number: count, time: time, label: label, action: action), state)
  }

  private mutating func time(of record: Value, _ shape: RecordShape) -> Duration? {
    guard let (member, unit) = shape.time else { return nil }
    switch unit {
    case .seconds: return Duration(decimalSeconds: record[member])
    case .delayMilliseconds:
      return (time ?? .zero)
        + (Duration(decimalSeconds: record[member]).map { $0 / 1_000 } ?? .zero)
    case .clockSeconds, .clockMilliseconds:
      // Since 1970 they are more than the seconds of any session.
      guard case .number(let number)? = record[member], number.doubleValue.magnitude < 1e15 else {
        return nil
      }
      let milliseconds = number.doubleValue * (unit == .clockSeconds ? 1_000 : 1)
      let clock = Duration.milliseconds(Int64(milliseconds.rounded()))
      firstTime = firstTime ?? clock
      return max(.zero, clock - (firstTime ?? clock))
    }
  }

  private mutating func flush() throws {
    guard let (step, after) = pending else { return }
    pending = nil
    let target = try writer ?? begin(hasStates: after != nil)
    writer = target
    try target.append(step, state: after)
    state = after ?? state
  }

  private func begin(hasStates: Bool) throws -> SessionWriter {
    var header = SessionHeader(
      app: name.flatMap { $0.isEmpty ? nil : SessionHeader.App($0) }, state: state,
      states: hasStates ? .everyStep : .first)
    header.knowsCauses = false
    header.origin = SessionHeader.Origin(format: shape?.tool ?? "JSON Lines", file: name)
    return try SessionWriter(path: path, header: header)
  }

  /// A log without an action is a session of its first state.
  mutating func finish(with final: (state: Value, file: String?)?) throws {
    if let final { pending?.state = final.state }
    try flush()
    if let file = final?.file {
      try writer?.append(Signpost("the state is the one of \(file), the file beside", step: count))
    }
    if writer == nil, state != nil { writer = try begin(hasStates: true) }
    try writer?.finish()
  }
}
