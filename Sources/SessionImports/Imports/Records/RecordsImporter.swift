import SessionFile
import SessionWords
import ValueTree

/// Opens files with one record for each action: as lines, a list, or a list in an object. The rows
/// of ``RecordShape`` describe the tools.
///
/// A record without an action gives the initial state, or the state after the previous action. If
/// states before and after do not match, the log has a gap, and a step says so.
package struct RecordsImporter: SessionImporter {
  package let format = "JSON Lines"

  package init() {}

  package func recognizes(_ start: [UInt8]) -> Bool {
    switch FileStart(start) {
    case .object:
      let members = RecordStart(start)
      guard !members.names.contains("retcon"), !ReduxImporter.isReport(start) else {
        return false
      }
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
  fileprivate var membersInWords: String {
    guard case .object(let object) = self, !object.isEmpty else { return "no member" }
    return "the members " + object.prefix(8).map { "\"\($0.key)\"" }.joined(separator: ", ")
  }
}

private struct RecordedSession {
  private let path: String
  private let name: String?
  private let initial: Value?
  private var writer: SessionWriter?
  /// The last action with its state, which may come in a later record.
  private var pending: (step: Step, state: Value?)?
  private var state: Value?
  private var firstTime: Duration?
  private var shape: RecordShape?
  private var time: Duration?
  /// Other facts of the log, until their step is written.
  private var notes: [Value] = []
  private(set) var count = 0

  init(_ path: String, name: String?, initial: Value?) {
    self.path = path
    self.name = name
    self.initial = initial
    state = initial
  }

  mutating func add(_ record: Value, _ shape: RecordShape, at place: String) throws {
    self.shape = shape
    let after =
      shape.after.flatMap { record[$0] }?.payload ?? shape.loneState(of: record)
      ?? (shape.isPatch ? patched(by: record) : nil)
    var action = shape.action(of: record)?.payload
    if action == nil, let after {
      // The state before the first action, or after the last.
      if count == 0 { state = after }
      pending?.state = after
      return
    }
    if action == nil, let note = record["dependency"] ?? record["dependencySet"] {
      notes.append(note.payload)
      return
    }
    if action == nil, shape.tool != "JSON Lines" { action = record }
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
      pending?.step.error = record["error"]?.string
      pending?.step.stack = record["stack"]?.string
    }
  }

  private mutating func patched(by record: Value) -> Value? {
    let before = pending.map { $0.state } ?? state
    return try? before.map { try Patch([record]).applied(to: $0) }
  }

  private mutating func append(_ label: String, _ action: Value, _ state: Value?) {
    count += 1
    pending = (Step(number: count, time: time, label: label, action: action), state)
  }

  private mutating func time(of record: Value, _ shape: RecordShape) -> Duration? {
    guard let (members, unit) = shape.time else { return nil }
    let told = members.lazy.compactMap { record[$0] }.first
    switch unit {
    case .seconds: return Duration(decimalSeconds: told)
    case .delayMilliseconds:
      return (time ?? .zero) + (Duration(decimalSeconds: told).map { $0 / 1_000 } ?? .zero)
    case .clockSeconds, .clockMilliseconds:
      let milliseconds: Int64? =
        switch told {
        // Larger than any session's seconds, so since 1970.
        case .number(let number) where number.doubleValue.magnitude < 1e15:
          Int64((number.doubleValue * (unit == .clockSeconds ? 1_000 : 1)).rounded())
        case .string(let text): UTCText.milliseconds(of: text)
        default: nil
        }
      guard let clock = milliseconds.map({ Duration.milliseconds($0) }) else { return nil }
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
    for note in notes {
      try target.append(Signpost("dependency", step: step.number, value: note))
    }
    notes = []
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

  /// A log without actions is a session of its first state.
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

extension Value {
  /// Swift writes an unnamed payload as `_0`.
  fileprivate var payload: Value {
    guard case .object(let object) = self, object.count == 1 else { return self }
    return object["_0"] ?? self
  }
}
