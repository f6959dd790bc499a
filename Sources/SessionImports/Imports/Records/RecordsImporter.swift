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

  package func lines(of path: String) throws -> (any LineFormat)? {
    let file = try FileBytes(path: path)
    guard try file.byte(at: 0).map({ $0 == UInt8(ascii: "{") || $0 <= 0x20 }) == true,
      !RecordStart(try file.bytes(0..<min(file.count, 1 << 16))).isList
    else { return nil }
    var lines = LineRanges(file: file)
    guard let range = try lines.next(), case let bytes = try file.bytes(range),
      let record = try? bytes.withUnsafeBufferPointer({ try Value(parsing: $0.record) })
    else { return nil }
    return RecordShape.of(record: record).flatMap { RecordLines($0) }
  }

  package func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws {
    if let format = try lines(of: path) {
      return try SessionReader(file: PartFile(path: path), format: format)
        .copy(to: session, progress: progress)
    }
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
    let told: LineRecord
    do throws(LineFault) { told = try shape.record(record) } catch {
      throw ImportError(
        what: error.reason, place: place, next: "Remove the line or give it an action")
    }
    switch told {
    case .state(let after):
      // The state before the first action, or after the last.
      if count == 0 { state = after }
      pending?.state = after
    case .note(_, let value): notes.append(value)
    case .step(var step, let before, let after):
      let after = after ?? (shape.isPatch ? patched(by: record) : nil)
      try flush()
      if let before {
        if count == 0 {
          state = before
        } else if let state, state != before {
          append(Step(number: 0, time: time, label: MadeLabel.gap, action: .null), before)
          try flush()
        }
      }
      time = time(of: step, shape)
      step.time = time
      append(step, after)
    }
  }

  private mutating func patched(by record: Value) -> Value? {
    let before = pending.map { $0.state } ?? state
    return try? before.map { try Patch([record]).applied(to: $0) }
  }

  private mutating func append(_ step: Step, _ state: Value?) {
    count += 1
    pending = (step, state)
    pending?.step.number = count
  }

  private mutating func time(of step: Step, _ shape: RecordShape) -> Duration? {
    switch shape.time?.unit {
    case nil, .seconds: return step.time
    case .delayMilliseconds: return (time ?? .zero) + (step.time ?? .zero)
    case .clockSeconds, .clockMilliseconds:
      firstTime = firstTime ?? step.time
      return step.time.map { max(.zero, $0 - (firstTime ?? $0)) }
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
