import SessionWords
import ValueTree

/// A step visited by a ``StepWalk``, parsed on demand. Valid only during the visit.
package struct StepPreview {
  package let number: Int
  /// False if the followed places are certainly unchanged.
  package let hasChanged: Bool
  /// The followed places; nil without any. The walk keeps it alive, and the reader.
  let run: Unmanaged<PlaceRun>?
  /// Nil if the members tell the label. The walk keeps it alive.
  unowned(unsafe) let labels: LineLabels?
  /// Nil if only the reader can tell the step.
  let members: StepMembers?
  /// Whether another line holds the state.
  var isStateElsewhere = false
  unowned(unsafe) let reader: SessionReader

  package struct Part: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let label = Part(rawValue: 1)
    package static let cause = Part(rawValue: 2)
    package static let time = Part(rawValue: 4)
    package static let reads = Part(rawValue: 8)
    package static let error = Part(rawValue: 16)
    package static let standing = Part(rawValue: 32)
  }

  package struct Parts: Sendable {
    package var members: Part
    package var actionPlaces: [Pointer]?

    package init(_ members: Part = [], actionPlaces: [Pointer]? = nil) {
      self.members = members
      self.actionPlaces = actionPlaces
    }
  }

  /// False if the step certainly was not skipped.
  package var maySkip: Bool {
    guard let bytes = members.map({ UnsafeRawBufferPointer($0.bytes) }) else { return true }
    return Self.skipped.isFound(in: bytes)
  }

  private static let skipped = ByteSearch.all(for: Array("\"skipped\"".utf8))

  /// Correct only at the followed places; nil if unknown.
  package var state: Value? { run?._withUnsafeGuaranteedRef(\.state) }

  /// The value at a followed place, faster than the whole ``state``.
  package func value(at place: Pointer) -> Value? {
    run?._withUnsafeGuaranteedRef { $0.value(at: place) }
  }

  package var isStateKnown: Bool { run?._withUnsafeGuaranteedRef(\.isKnown) == true }

  /// Whether the rest of the line can be read, too. Searches look only at the bytes that they need.
  package var isStepReadable: Bool {
    guard let members else { return true }
    // The reader leaves out a long state.
    return members.bytes.count < 1 << 12 && members.isReadable
      || (try? reader.step(number))?.damage == nil
  }

  /// The same for the whole line with the state.
  package var isStateReadable: Bool {
    guard run != nil, let members else { return true }
    if isStateElsewhere { return (try? reader.state(after: number)) != nil }
    return members.state == nil || members.isReadable
  }

  /// The same for the state before. The patches of a session are not looked at.
  package var isPreviousReadable: Bool {
    !reader.isReadInPlace || (try? reader.state(after: number - 1)) != nil
  }

  /// Answers a question about the label, the action or a followed place; nil if the step must be
  /// read for that.
  package func answer(_ question: TextCondition.Question) -> Bool? {
    if question.word == .state { return run?._withUnsafeGuaranteedRef { $0.answer(question) } }
    guard let members else { return nil }
    switch question.word {
    case .label:
      guard question.place.isEmpty,
        let range = labels.map({ $0.label(of: members, number) }) ?? members.label
      else { return nil }
      return question.answer(UnsafeBufferPointer(rebasing: members.bytes[range]))
    case .action:
      if let twin = members.twin {
        return twin._withUnsafeGuaranteedRef { $0.answer(question, in: members.bytes) }
      }
      guard let range = members.action else { return nil }
      return question.answer(in: UnsafeBufferPointer(rebasing: members.bytes[range]))
    case .state, .other: return nil
    }
  }

  /// The step with these parts; the others are empty. Its action is correct at the wanted places. A
  /// missing step has its ``Step/damage``.
  package func step(_ parts: Parts) throws(SessionError) -> Step {
    guard let members, parts.members.isDisjoint(with: members.unread.union(.standing)),
      parts.actionPlaces == nil || members.action != nil
    else { return try reader.step(number) }
    var label: Range<Int>?
    if parts.members.contains(.label) {
      label = labels.map { $0.label(of: members, number) } ?? members.label
      guard label != nil || labels == nil else { return try reader.step(number) }
    }
    guard let step = try? Step(members, number, parts, label, labels) else {
      return try reader.step(number)
    }
    return step
  }
}

/// Finds the label and the time in a line of another tool when a search asks for them. It finds each
/// label once.
final class LineLabels {
  private let format: any LineFormat
  private let snapshot: ReaderState
  // Used by one walk alone.
  @exclusivity(unchecked) private var last: (step: Int, label: Range<Int>?)?

  init(_ format: any LineFormat, _ snapshot: ReaderState) {
    (self.format, self.snapshot) = (format, snapshot)
  }

  func time(_ told: Value?) -> Duration? { snapshot.time(told: format.time(told)) }

  func label(of members: StepMembers, _ step: Int) -> Range<Int>? {
    if let last, last.step == step { return last.label }
    let label = format.label(of: members)
    last = (step, label)
    return label
  }
}

extension Step {
  fileprivate init(
    _ members: StepMembers, _ number: Int, _ parts: StepPreview.Parts, _ label: Range<Int>?,
    _ labels: LineLabels?
  ) throws {
    self.init(number: number, label: try members.text(of: label) ?? "", action: .null)
    if let places = parts.actionPlaces, let range = members.action {
      guard
        let value = PlacePicker(members.scanner)
          .pick(places.map { $0.tokens[...] }, from: range.lowerBound)
      else { throw LineFault(reason: "action") }
      action = value
    }
    if parts.members.contains(.cause) {
      let value = try members.value(of: members.cause).flatMap { $0 == .null ? nil : $0 }
      cause = try Cause(value, at: "line.cause")
    }
    if parts.members.contains(.time) {
      let told = try members.value(of: members.time)
      time = labels.map { $0.time(told) } ?? Duration(decimalSeconds: told)
    }
    if parts.members.contains(.reads), let value = try members.value(of: members.reads) {
      reads = try ValueFields(["reads": value], at: "line").list("reads")
    }
    if parts.members.contains(.error) { error = try members.text(of: members.error) }
  }
}

package struct StepMembers {
  var bytes: UnsafeBufferPointer<UInt8>
  /// The earlier line that has the places. Nil if they are this line's.
  private(set) var twin: Unmanaged<LineTwin>?
  /// Parts that only the parser can tell.
  var unread = StepPreview.Part(rawValue: 0)
  /// Whether the action is the whole value in the line, not only its payload.
  package private(set) var isWholeAction = true
  /// Whether a place was looked for in the state.
  private(set) var isPlaceSought = false
  private var places = Places()

  /// Small, because every line gets a glance.
  private struct Places {
    var label = Place()
    var action = Place()
    var cause = Place()
    var time = Place()
    var reads = Place()
    var error = Place()
    var patch = Place()
    var state = Place()
    var before = Place()
    var labelBeside = Place()
    var inState = Place()
  }

  private struct Place {
    private let start, end: UInt32

    @inline(__always)
    init(_ range: Range<Int>? = nil) {
      start = UInt32(truncatingIfNeeded: range?.lowerBound ?? 0)
      end = UInt32(truncatingIfNeeded: range?.upperBound ?? 0)
    }

    @inline(__always)
    var range: Range<Int>? { end > 0 ? Int(start)..<Int(end) : nil }
  }

  var label: Range<Int>? { range(of: places.label) }
  package var action: Range<Int>? { range(of: places.action) }
  var cause: Range<Int>? { range(of: places.cause) }
  var time: Range<Int>? { range(of: places.time) }
  var reads: Range<Int>? { range(of: places.reads) }
  var error: Range<Int>? { range(of: places.error) }
  var patch: Range<Int>? { range(of: places.patch) }
  var state: Range<Int>? { range(of: places.state) }
  /// The state before the action, which only other tools write.
  var before: Range<Int>? { range(of: places.before) }
  /// A label that another tool writes beside the action.
  package var labelBeside: Range<Int>? { range(of: places.labelBeside) }
  /// The place that was looked for; nil if the state lacks it.
  package var placeInState: Range<Int>? { range(of: places.inState) }

  @inline(__always)
  private func range(of place: Place) -> Range<Int>? {
    guard let twin, let range = place.range else { return place.range }
    return twin._withUnsafeGuaranteedRef { $0.place(of: range) }
  }

  /// The parts of a line that an earlier one tells.
  init(_ line: UnsafeBufferPointer<UInt8>, like twin: LineTwin) {
    self = twin.members
    bytes = line
    self.twin = .passUnretained(twin)
  }

  package var scanner: ValueScanner { ValueScanner(bytes) }

  var isReadable: Bool {
    twin?._withUnsafeGuaranteedRef { $0.isReadable(bytes) } == true
      || (try? Value(parsing: bytes)) != nil
  }

  package init(
    _ line: UnsafeBufferPointer<UInt8>, action: Range<Int>?, labelBeside: Range<Int>? = nil,
    isWholeAction: Bool = true, time: Range<Int>?, error: Range<Int>?, before: Range<Int>?,
    state: Range<Int>?, unread: StepPreview.Part
  ) {
    bytes = line
    self.isWholeAction = isWholeAction
    places.labelBeside = Place(labelBeside)
    places.action = Place(action)
    places.time = Place(time)
    places.error = Place(error)
    places.state = Place(state)
    places.before = Place(before)
    self.unread = unread
  }

  package mutating func tell(placeInState place: Range<Int>?) {
    isPlaceSought = true
    places.inState = Place(place)
  }

  /// Nil for a line that needs the parser: truncated, with more behind it, with escapes in a key, or
  /// huge.
  @inline(__always)
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    bytes = line
    guard line.count <= UInt32.max else { return nil }
    let scanner = ValueScanner(line)
    let end = scanner.endOfMembers(from: 0) { key, start in
      guard let value = scanner.value(from: start),
        notePlace(Place(value), key.lowerBound + 1..<key.upperBound - 1)
      else { return nil }
      return value.upperBound
    }
    guard let end, scanner.afterSpace(end) == line.count else { return nil }
  }

  @inline(__always)
  private mutating func notePlace(_ value: Place, _ key: Range<Int>) -> Bool {
    switch Key(rawValue: scanner.head(of: key)) {
    case .label?: places.label = value
    case .action?: places.action = value
    case .cause?: places.cause = value
    case .time?: places.time = value
    case .reads?: places.reads = value
    case .error?: places.error = value
    case .patch?: places.patch = value
    case .state?: places.state = value
    case nil: return !scanner.hasEscapes(key)
    }
    return true
  }

  /// The letters of a key from the last to the first, as a number.
  private enum Key: UInt64 {
    case label = 0x6C_6562_616C
    case action = 0x6E6F_6974_6361
    case cause = 0x65_7375_6163
    case time = 0x656D_6974
    case reads = 0x73_6461_6572
    case error = 0x72_6F72_7265
    case patch = 0x68_6374_6170
    case state = 0x65_7461_7473
  }

  func value(of range: Range<Int>?) throws(ParseError) -> Value? {
    guard let range else { return nil }
    return try Value(parsing: bytes[range])
  }

  func text(of range: Range<Int>?) throws -> String? {
    guard let value = try value(of: range), value != .null else { return nil }
    guard let text = value.string else { throw LineFault(reason: "it holds no text") }
    return text
  }
}
