import SessionWords
import ValueTree

/// Labels that no line holds.
package enum MadeLabel {
  package static let none = "(no type)"
  /// Pinia has only three types of mutations; the changed store says more.
  package static func of(_ label: String, in store: String) -> String { "\(store): \(label)" }
}

extension TextNeedle {
  /// Whether such a label may hold the text.
  var isOfMadeLabel: Bool {
    let text = Array(": ".utf8)
    return run.contains(text[0]) || run.first == text[1]
      || MadeLabel.none.utf8.indices.contains { MadeLabel.none.utf8[$0...].starts(with: run) }
  }
}

/// Where step, action, state and time lie in a line of another tool's log.
///
/// ``SessionReader`` reads such a file in place. Each line with an action is a step, and holds its
/// whole state, none, or a patch.
package protocol LineFormat: Sendable {
  /// The tool, as in the header's `origin`.
  var tool: String { get }
  /// Whether lines hold the state before their action, too. If it differs from the last known one,
  /// the log left something out, and a step says so.
  var hasStateBefore: Bool { get }
  /// Whether times are of a clock. They count from the first one.
  var hasClock: Bool { get }
  /// Whether each action is a patch of the state before it.
  var arePatches: Bool { get }
  /// Whether strings hold a line's parts as JSON. Then ``members(of:place:)`` gets unwrapped lines.
  var hasPartsInStrings: Bool { get }

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind
  /// The places of a step's parts but the label, or of the state that has this line; nil if only the
  /// parser can tell. Keys, quotes and brackets alone decide. Finds a place of the state, too, if the
  /// same walk passes it.
  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers?
  /// The label, which costs time; nil if only the parser can tell.
  func label(of members: StepMembers) -> Range<Int>?
  /// The time as a line tells it, which may be of a clock.
  func time(_ told: Value?) -> Duration?
  func value(of line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Value
  func record(_ line: Value) throws(LineFault) -> LineRecord
  /// Adds a document's facts about all steps.
  func complete(_ header: inout SessionHeader, with facts: Value) throws(LineFault)
}

extension LineFormat {
  package var arePatches: Bool { false }
  package var hasPartsInStrings: Bool { false }

  package func time(_ told: Value?) -> Duration? { Duration(decimalSeconds: told) }

  package func value(of line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Value {
    try Value(line: line.record)
  }

  package func complete(_ header: inout SessionHeader, with facts: Value) throws(LineFault) {}

  func record(of line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> LineRecord {
    try record(value(of: line))
  }

  /// The kind as the parser reads it. An unreadable line may have been a step.
  package func parsedKind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind {
    guard let value = try? value(of: line) else { return .step }
    do throws(LineFault) {
      return switch try record(value) {
      case .step: .step
      case .state: .state
      case .note: .note
      case .effect: .effect
      }
    } catch { return .damaged(error.reason) }
  }
}

package enum RecordKind {
  case step
  /// The state after the last step, or the first state.
  case state
  case note
  case effect
  case damaged(String)
}

package enum LineRecord {
  /// The step has no number, and its time may be of a clock.
  case step(Step, before: Value?, after: Value?)
  case state(Value)
  case note(String, Value?)
  case effect(EffectEvent)
}

extension UnsafeBufferPointer<UInt8> {
  /// The text of one line without zero bytes, blanks, a byte order mark and a trailing comma.
  package var record: UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, count)
    if end > 2, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF { start = 3 }
    while start < end, Self.isBlank(self[start]) { start += 1 }
    while end > start, Self.isBlank(self[end - 1]) || self[end - 1] == UInt8(ascii: ",") {
      end -= 1
    }
    return UnsafeBufferPointer(rebasing: self[start..<end])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

extension LineIndex {
  private static let longestRecord = 256 << 20

  mutating func addRecord(
    _ line: LineScanner.Line, in part: PartList.Part, _ format: some LineFormat
  ) {
    let offset = begin(line, in: part)
    guard line.length <= Self.longestRecord,
      line.withAllBytes(in: part.file, { addRecord($0.record, at: offset, format) }) != nil
    else { return addDamage("it is too long", at: offset) }
  }

  private mutating func addRecord(
    _ text: UnsafeBufferPointer<UInt8>, at offset: Int, _ format: some LineFormat
  ) {
    guard let first = text.first, let last = text.last else { return addOther(offset, .unknown) }
    let (isBegun, isEnded) = (first == UInt8(ascii: "{"), last == UInt8(ascii: "}"))
    // Text of another program has neither; a record may have lost one.
    guard isBegun || isEnded else { return addDamage("it does not begin with {", at: offset) }
    if !isEnded { report(.badLine(reason: "it does not end with }"), at: offset) }
    if !isBegun { report(.badLine(reason: "it does not begin with {"), at: offset) }
    switch isBegun ? format.kind(of: text) : .step {
    case .step:
      if format.hasStateBefore { addGap(before: text, at: offset, format) }
      addRecordedStep(StepEntry(offset: offset, isKeyframe: !format.arePatches))
    case .state:
      addOther(offset, .step)
      if format.hasStateBefore, case .state(let state)? = record(text, format) {
        lastState = state.bytes()
      }
    case .note: addOther(offset, .signpost)
    case .effect: addOther(offset, .effect)
    case .damaged(let reason): addDamage(reason, at: offset)
    }
  }

  /// Adds a step if the state changed since the last line. Most lines repeat it byte for byte.
  private mutating func addGap(
    before text: UnsafeBufferPointer<UInt8>, at offset: Int, _ format: some LineFormat
  ) {
    let isFirst = steps.count == 1
    if let lastState, let members = format.members(of: text, place: nil),
      let before = members.before,
      let after = members.state, lastState.elementsEqual(text[before])
    {
      self.lastState = Array(text[after])
      return
    }
    guard case .step(_, let before, let after)? = record(text, format) else { return }
    let known = isFirst ? nil : lastState.flatMap { try? Value(parsing: $0) }
    let isGap = known != nil && before != nil && before != known
    if isGap { addRecordedStep(.gap(before: offset)) }
    // Without a state after it, the next line's state may be its own doing.
    lastState = after?.bytes()
  }

  private func record(
    _ text: UnsafeBufferPointer<UInt8>, _ format: some LineFormat
  ) -> LineRecord? {
    try? format.record(of: text)
  }

  /// The last step at or before an offset.
  func lastStep(at offset: Int) -> Int {
    firstStep + steps.firstIndex(notBelow: UInt64(offset + 1) << 3) - 1
  }
}
