import SessionWords
import ValueTree

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

  var isReadable: Bool { bytes.isJSON }

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

  package mutating func set(placeInState place: Range<Int>?) {
    isPlaceSought = true
    places.inState = Place(place)
  }

  /// Nil for a line that needs the parser: truncated, with more behind it, with escapes in a key, or
  /// huge.
  @inline(__always)
  init?(_ line: UnsafeBufferPointer<UInt8>, place: ScanPath? = nil) {
    bytes = line
    guard line.count <= UInt32.max else { return nil }
    let scanner = ValueScanner(line)
    let end = scanner.endOfMembers(from: 0) { key, start in
      let key = key.lowerBound + 1..<key.upperBound - 1
      var value: Range<Int>?
      if let place, scanner.text(key, is: "state") {
        let start = scanner.afterSpace(start)
        let (found, end) = scanner.find(place, from: start)
        value = end.map { start..<$0 }
        set(placeInState: found)
      } else {
        value = scanner.value(from: start)
      }
      guard let value, setPlace(Place(value), key) else { return nil }
      return value.upperBound
    }
    guard let end, scanner.afterSpace(end) == line.count else { return nil }
  }

  @inline(__always)
  private mutating func setPlace(_ value: Place, _ key: Range<Int>) -> Bool {
    if scanner.text(key, is: "label") {
      places.label = value
    } else if scanner.text(key, is: "action") {
      places.action = value
    } else if scanner.text(key, is: "cause") {
      places.cause = value
    } else if scanner.text(key, is: "time") {
      places.time = value
    } else if scanner.text(key, is: "reads") {
      places.reads = value
    } else if scanner.text(key, is: "error") {
      places.error = value
    } else if scanner.text(key, is: "patch") {
      places.patch = value
    } else if scanner.text(key, is: "state") {
      places.state = value
    } else {
      return !scanner.hasEscapes(key)
    }
    return true
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
