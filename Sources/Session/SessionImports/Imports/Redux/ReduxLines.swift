import Platform
import SessionFile
import SessionWords
import ValueTree

/// The steps of Redux DevTools as lines: `{"@entry":{"action":…},"@computed":{"state":…}}`, or
/// `{"action":…}` of a list of actions.
struct ReduxLines: LineFormat {
  /// For references from one place of the document to another.
  private let document = Locked<JavaScriptDocument?>(nil)
  private let clock = Locked(ReduxClock())

  init(of indexer: ReduxIndexer) throws {
    let document = try indexer.document.again()
    self.document.withLock { $0 = document }
  }

  static let name = "Redux DevTools"
  let tool = name
  let hasStateBefore = false
  /// Its times count from the document's start, which may be after the first step.
  let hasClock = false

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind {
    line.starts(with: Self.event) ? .effect : .step
  }

  private static let event = Array(#"{"@event":"#.utf8)

  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers? {
    guard !JavaScriptEscape.mayStand(in: line) else { return nil }
    let line = line.record
    let scanner = ValueScanner(line)
    var action, state, error: Range<Int>?
    var isLost = false
    let end = scanner.endOfMembers(from: 0) { key, start in
      let (isEntry, isComputed) = (
        scanner.key(key, is: "@entry"), scanner.key(key, is: "@computed")
      )
      guard isEntry || isComputed else {
        let value = scanner.value(from: start)
        if scanner.key(key, is: "action") { action = value }
        return value?.upperBound
      }
      return scanner.endOfMembers(from: start) { key, start in
        let value = scanner.value(from: start)
        if isEntry, scanner.key(key, is: "action") { action = value }
        if isEntry, scanner.key(key, is: "lost") { isLost = true }
        if isComputed, scanner.key(key, is: "state") { state = value }
        if isComputed, scanner.key(key, is: "error") { error = value }
        return value?.upperBound
      }
    }
    guard end != nil, !isLost, let action, line[action.lowerBound] == UInt8(ascii: "{"),
      state.map(scanner.isString) != true
    else { return nil }
    return StepMembers(
      line, action: action, time: nil, error: error.flatMap { scanner.isString($0) ? $0 : nil },
      before: nil, state: state, unread: [.time, .cause])
  }

  func value(of line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Value {
    let value = try Value(line: line.record)
    guard JavaScriptEscape.mayStand(in: line) else { return value }
    return try resolved { try $0.resolved(value) }
  }

  private func resolved(
    _ work: (JavaScriptDocument) throws -> Value
  ) throws(LineFault) -> Value {
    do { return try document.withLock { try $0.map(work) ?? .null } } catch {
      throw LineFault(reason: (error as? any Explained)?.what ?? "\(error)")
    }
  }

  func record(_ line: Value) throws(LineFault) -> LineRecord {
    do throws(ValueFieldError) {
      if let event = line["@event"] { return .effect(try EffectEvent(event, at: "line")) }
      let (entry, computed) = (line["@entry"] ?? line, line["@computed"])
      let after = computed?["state"]?.plain
      if let lost = entry["lost"]?.string {
        return .step(.damaged(0, lost), before: nil, after: after)
      }
      var step = Step(ofRedux: entry, clock.withLock { $0 })
      step.isSkipped = line["@skipped"] == true
      step.error = computed?["error"]?.string
      step.cause = try Cause(line["@cause"], at: "line.@cause")
      return .step(step, before: nil, after: after)
    } catch {
      throw LineFault(reason: error.description)
    }
  }

  func complete(_ header: inout SessionHeader, with facts: Value) throws(LineFault) {
    header.app = header.app ?? SessionHeader.App("Redux app")
    header.origin?.position = facts["position"]?.int
    header.states = facts["computed"] == nil ? .first : .everyStep
    func value(_ key: String) throws(LineFault) -> Value? {
      guard let start = facts[key]?[0]?.int, let end = facts[key]?[1]?.int, start < end else {
        return nil
      }
      return try resolved { try $0.value(start..<end) }
    }
    let (computed, committed) = (try value("computed"), try value("committed"))
    header.state = computed?["state"]?.plain ?? committed?.plain ?? facts["preloaded"]
    let clock = ReduxClock(start: facts["clock"]?.int.map(Int64.init))
    header.started = clock.started
    self.clock.withLock { $0 = clock }
  }
}

extension DocumentLines {
  /// Adds a step that cannot be read, or only a note, with the reason.
  mutating func addLost(_ reason: String, asNote: Bool = false) {
    let name = asNote ? "@note" : "lost"
    addLine([make(.members, #""\#(name)":\#(Value.string(reason).text())"#.utf8)])
  }
}

private let typePath: ScanPath = ["type"]

extension LineFormat {
  /// The `type` of an action of Redux.
  func label(of members: StepMembers) -> Range<Int>? {
    let scanner = members.scanner
    let label = scanner.range(of: typePath, from: members.action?.lowerBound ?? 0)
    return label.flatMap { scanner.isString($0) ? $0 : nil }
  }
}

extension Step {
  init(ofRedux entry: Value, _ clock: ReduxClock) {
    let action = (entry["action"] ?? .null).plain
    self.init(
      number: 0, time: clock.time(ReduxClock.milliseconds(of: entry)),
      label: ReduxAction.label(action), action: action)
    stack = entry["stack"]?.string
  }
}

extension Value {
  /// Parses JSON text, which some apps use for actions and states; other text stays.
  var plain: Value {
    guard let text = string, text.hasPrefix("{") || text.hasPrefix("[") else { return self }
    return (try? Value(parsing: text)) ?? self
  }

  var int: Int? {
    if case .number(let number) = self { Int(number.text) } else { nil }
  }

  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

package enum ReduxAction {
  /// The `type` of an action; nil unless Redux could have made it.
  package static func type(of action: Value) -> String? {
    switch action["type"] {
    case .string(let type)?: type
    case .number(let number)?: number.text
    default: nil
    }
  }

  package static func label(_ action: Value) -> String { type(of: action) ?? "(no type)" }
}

/// Converts timestamps to times since the start.
struct ReduxClock {
  var start: Int64?

  func time(_ milliseconds: Int64?) -> Duration? {
    guard let start, let milliseconds else { return nil }
    let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(start)
    return isTooLarge ? nil : .milliseconds(difference)
  }

  var started: String? { start.flatMap { UTCText.of(milliseconds: $0) } }

  static func milliseconds(of entry: Value) -> Int64? {
    guard case .number(let number)? = entry["timestamp"] else { return nil }
    return Int64(exactly: number.doubleValue.rounded())
  }
}
