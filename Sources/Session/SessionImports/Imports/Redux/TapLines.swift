import Platform
import SessionFile
import SessionWords
import ValueTree

/// The messages that Rozenite's tap prints. Those of a Redux store hold texts of its actions and states.
struct TapLines: LineFormat {
  let tool = "Rozenite"
  let hasStateBefore = false
  let hasClock = true
  let hasPartsInStrings = true
  private let store = Locked(Store())

  /// The first store in the file: its actions are steps, those of others are notes.
  private struct Store {
    var id: Value?
    var hasAction = false
    /// Snapshots up to this time are from before the first action, and tell the first state.
    var start = Duration.zero
  }

  /// Looks for the first action, so that records can be read in any order. A file that has none yet
  /// may get it while it is followed.
  init(_ file: FileBytes) {
    var lines = LineRanges(file: file)
    while !store.withLock(\.hasAction), let line = try? lines.next() {
      _ = try? file.bytes(line).withUnsafeBufferPointer(learn)
    }
  }

  private static let marks = ByteSearch.all(for: Array("redux-devtools-plugin".utf8))

  private func learn(from line: UnsafeBufferPointer<UInt8>) -> Store {
    store.withLock { store in
      guard !store.hasAction, Self.marks.isFound(in: UnsafeRawBufferPointer(line)),
        let message = try? value(of: line), let request = Self.request(in: message)
      else { return store }
      store.id = store.id ?? Self.id(of: request)
      guard Self.id(of: request) == store.id else { return store }
      store.start = max(store.start, time(message["timestamp"]) ?? Self.unknown)
      store.hasAction = request["type"] == "ACTION"
      return store
    }
  }

  private static func id(of request: Value) -> Value { request["instanceId"] ?? .null }

  /// Behind all times.
  private static let unknown = Duration.seconds(Int64.max)

  func time(_ told: Value?) -> Duration? {
    guard case .number(let time)? = told, time.doubleValue < 1e15 else { return nil }
    return .milliseconds(Int64(max(0, time.doubleValue)))
  }

  private static func request(in message: Value) -> Value? {
    guard message["pluginId"] == "@rozenite/redux-devtools-plugin",
      message["payload"]?["type"] == "state-update"
    else { return nil }
    return message["payload"]?["request"]
  }

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind {
    let store = learn(from: line)
    guard let told = action(in: line), line[told.entry.lowerBound] == UInt8(ascii: "\""),
      told.id.map({ try? Value(parsing: line[$0]) }) ?? .null == store.id
    else { return parsedKind(of: line) }
    return .step
  }

  private static let plugin: ScanPath = ["pluginId"]
  private static let update: ScanPath = ["payload", "type"]
  private static let request: ScanPath = ["payload", "request"]
  private static let action: ScanPath = ["action"]
  private static let time: ScanPath = ["timestamp"]

  /// Where a message tells an action of a store; nil if it does not, or only the parser can tell.
  private func action(
    in line: UnsafeBufferPointer<UInt8>
  ) -> (id: Range<Int>?, entry: Range<Int>, state: Range<Int>?)? {
    let scanner = ValueScanner(line)
    func isText(_ value: Range<Int>?, _ text: StaticString) -> Bool {
      value.map { scanner.isString($0) && scanner.key($0, is: text) } == true
    }
    guard isText(scanner.range(of: Self.plugin), "@rozenite/redux-devtools-plugin"),
      isText(scanner.range(of: Self.update), "state-update"),
      let request = scanner.range(of: Self.request)
    else { return nil }
    var type, id, entry, state: Range<Int>?
    let isWhole = scanner.members(from: request.lowerBound) { key, value in
      if scanner.key(key, is: "type") { type = value }
      if scanner.key(key, is: "instanceId") { id = value }
      if scanner.key(key, is: "action") { entry = value }
      if scanner.key(key, is: "payload") { state = value }
      return true
    }
    return isWhole && isText(type, "ACTION") ? entry.map { (id, $0, state) } : nil
  }

  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers? {
    let (line, scanner) = (line.record, ValueScanner(line.record))
    /// Whether a string was unwrapped into just this value.
    func isUnwrapped(_ value: Range<Int>) -> Bool {
      line[value.lowerBound - 1] == 0x0A && line[value.upperBound] == 0x0A
    }
    guard !JavaScriptEscape.mayStand(in: line), let told = action(in: line),
      isUnwrapped(told.entry), told.state.map(isUnwrapped) != false
    else { return nil }
    let action = scanner.range(of: Self.action, from: told.entry.lowerBound) ?? told.entry
    var members = StepMembers(
      line, action: action, time: scanner.range(of: Self.time), error: nil, before: nil,
      state: told.state, unread: StepPreview.Part(rawValue: 0))
    if let place, let state = told.state?.lowerBound {
      members.set(placeInState: scanner.range(of: place, from: state))
    }
    return members
  }

  func record(_ line: Value) throws(LineFault) -> LineRecord {
    let store = store.withLock { $0 }
    let request = Self.request(in: line).flatMap { Self.id(of: $0) == store.id ? $0 : nil }
    func told(_ key: String) -> Value? {
      (request?[key]?.string).flatMap(JavaScriptText.value)
    }
    if request?["type"] == "ACTION", request?["action"]?.string != nil {
      guard let entry = told("action") else {
        return .step(.damaged(0, "its action is not JSON"), before: nil, after: told("payload"))
      }
      let action = entry["action"] ?? entry
      var step = Step(
        number: 0, time: time(line["timestamp"]), label: ReduxAction.label(action), action: action)
      step.stack = entry["stack"]?.string
      return .step(step, before: nil, after: told("payload"))
    }
    // The app sends one for each action that it still has; one of them has the state of now.
    if !store.hasAction || time(line["timestamp"]) ?? Self.unknown <= store.start,
      let lifted = told("payload"),
      case .array(let ids)? = lifted["stagedActionIds"],
      lifted["currentStateIndex"] == .number(Number(ids.count - 1)),
      case .array(let states)? = lifted["computedStates"], let state = states.last?["state"]
    {
      return .state(state)
    }
    guard let name = line["type"]?.string else { throw LineFault(reason: "it holds no message") }
    return .note(name, line["payload"])
  }
}
