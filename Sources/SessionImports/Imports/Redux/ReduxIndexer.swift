import SessionFile
import SessionWords
import ValueTree

/// Finds the actions of Redux DevTools, and the state that each led to.
struct ReduxIndexer: DocumentIndexer {
  /// The file with the parts, which is not the opened one if that holds JSON as text.
  let file: FileBytes
  let document: JavaScriptDocument
  private var actions: JSONCursor
  private var steps: Steps
  private var number = 0
  private var causes = ReduxCauses()
  private var skippedMark: DocumentLines.Part?

  private enum Steps {
    /// A list of raw actions, as an app exports it: no times, no states.
    case list(preloaded: Value?)
    /// The lifted state of the DevTools' engine.
    case lifted(Lifted)
  }

  private struct Lifted {
    var members: [String: Range<Int>]
    /// Where the list of states begins, before members that may come behind it.
    var behind: JSONCursor?
    var states: JSONCursor?
    var entries: [String: Range<Int>] = [:]
    var staged: [String] = []
    var skipped: Set<String> = []
    var clock = ReduxClock()
  }

  init(_ file: FileBytes, at start: Int = 0, preloaded: Value? = nil) throws {
    var cursor = JSONCursor(file, at: start)
    guard try cursor.peek() == UInt8(ascii: "{") else {
      self.init(
        file, cursor, JavaScriptDocument(try file.again(), at: cursor.offset),
        .list(preloaded: preloaded))
      return
    }
    let start = cursor.offset
    var members: [String: Range<Int>] = [:]
    let states = try Self.findMembers(&members, at: &cursor)
    let texts = try ["actionsById", "computedStates"].filter { key in
      try members[key].map { try file.byte(at: $0.lowerBound) == UInt8(ascii: "\"") } ?? false
    }
    guard texts.isEmpty else {
      try self.init(UnescapedText.file(of: members, texts: Set(texts), in: file))
      return
    }
    if members["actionsById"] != nil {
      let cursors = try states.map { states in
        (JSONCursor(file, at: states), JSONCursor(try file.again(), at: states))
      }
      self.init(
        file, cursor, JavaScriptDocument(try file.again(), at: start),
        .lifted(Lifted(members: members, behind: cursors?.0, states: cursors?.1)))
      return
    }
    guard let payload = members["payload"] else { throw unknownExport(file, members.keys.sorted()) }
    let preloaded = try members["preloadedState"].map {
      try JavaScriptDocument(file, at: start).textualValue($0)
    }
    let isText = try file.byte(at: payload.lowerBound) == UInt8(ascii: "\"")
    try self.init(
      isText ? UnescapedText.file(of: payload, in: file) : file,
      at: isText ? 0 : payload.lowerBound, preloaded: preloaded)
  }

  private init(
    _ file: FileBytes, _ cursor: JSONCursor, _ document: JavaScriptDocument, _ steps: Steps
  ) {
    (self.file, actions, self.document, self.steps) = (file, cursor, document, steps)
  }

  /// Finds members up to the states behind the actions; gives where the list of states begins.
  private static func findMembers(
    _ members: inout [String: Range<Int>], at cursor: inout JSONCursor
  ) throws -> Int? {
    var states: Int?
    while let key = try cursor.nextKey(members.isEmpty) {
      if key == "computedStates", try cursor.peek() == UInt8(ascii: "[") {
        states = cursor.offset
        if members["actionsById"] != nil { break }
      }
      members[key] = try cursor.valueRange()
    }
    return states
  }

  /// Members that steps need. Finding those behind the states takes a walk over all of these.
  private static let needed = [
    "stagedActionIds", "skippedActionIds", "committedState", "currentStateIndex",
  ]

  var share: Double {
    var offset = actions.offset
    if case .lifted(let lifted) = steps, let states = lifted.states { offset = states.offset }
    return min(1, Double(offset) / Double(max(1, file.count)))
  }

  mutating func addLines(to lines: inout DocumentLines, most: Int) throws -> Bool {
    let end = most == .max ? .max : lines.size + most
    switch steps {
    case .list(let preloaded):
      if number == 0 {
        lines.facts = .object(ValueObject(preloaded.map { [("preloaded", $0)] } ?? []))
      }
      while try actions.nextElement(number == 0) {
        try addAction(to: &lines)
        if lines.size >= end { return true }
      }
    case .lifted(var lifted):
      if number == 0 { try begin(&lifted, &lines) }
      defer { steps = .lifted(lifted) }
      while number + 1 < lifted.staged.count {
        number += 1
        try addEntry(lifted.staged[number], &lifted, to: &lines)
        if lines.size >= end { return true }
      }
    }
    return false
  }

  private mutating func addAction(to lines: inout DocumentLines) throws {
    let range = try actions.valueRange()
    guard try file.byte(at: range.lowerBound) == UInt8(ascii: "{") else {
      throw ImportError.syntax(
        "expected an action, an object with a \"type\"; found "
          + (try document.value(range).kindInWords), path: file.path, offset: range.lowerBound)
    }
    number += 1
    let bytes = try file.checkedBytes(range)
    addStep([DocumentLines.Part(.action, range)], bytes, in: range, to: &lines) { $0 }
  }

  private mutating func begin(_ lifted: inout Lifted, _ lines: inout DocumentLines) throws {
    if var cursor = lifted.behind, !Self.needed.allSatisfy({ lifted.members[$0] != nil }) {
      lifted.members["computedStates"] = try cursor.valueRange()
      _ = try Self.findMembers(&lifted.members, at: &cursor)
    }
    lifted.behind = nil
    lifted.entries =
      try lifted.members["actionsById"].map { try file.members(at: $0.lowerBound) } ?? [:]
    lifted.staged = try ids("stagedActionIds", lifted)
    lifted.skipped = Set(try ids("skippedActionIds", lifted))
    // The first entry, `@@INIT`, may have been remade later, for example by an import.
    lifted.clock.start = lifted.staged.prefix(2).compactMap { id in
      lifted.entries[id].flatMap { try? document.value($0) }.flatMap(ReduxClock.milliseconds)
    }.min()
    var facts: [String: Value] = [:]
    facts["clock"] = lifted.clock.start.map { .number(Number(Int($0))) }
    facts["position"] = try position(lifted)
    func place(_ range: Range<Int>) -> Value {
      [.number(Number(range.lowerBound)), .number(Number(range.upperBound))]
    }
    if let committed = lifted.members["committedState"] {
      facts["committed"] = place(committed)
    }
    if try lifted.states?.nextElement(true) == true, let first = try nextState(&lifted, true) {
      facts["computed"] = place(first.whole)
      facts["hasStates"] = true
    } else {
      lifted.states = nil
    }
    lines.facts = .object(ValueObject(facts.map { ($0.key, $0.value) }))
  }

  private struct Computed {
    var whole: Range<Int>
    var state: Range<Int>?
    var error: Range<Int>?
    /// Whether only the parser can tell what it holds.
    var isEscaped = false
  }

  /// The state that the cursor is at, or the next one.
  private func nextState(_ lifted: inout Lifted, _ isFirst: Bool = false) throws -> Computed? {
    guard var cursor = lifted.states else { return nil }
    guard try isFirst || cursor.nextElement(false) else {
      lifted.states = nil
      return nil
    }
    defer { lifted.states = cursor }
    let isObject = try cursor.peek() == UInt8(ascii: "{")
    var computed = Computed(whole: cursor.offset..<cursor.offset, isEscaped: !isObject)
    if isObject {
      let file = cursor.file
      try cursor.members { key, range in
        switch key {
        case "state": computed.state = try isUndefined(range, file) ? nil : range
        case "error":
          let isText = try file.byte(at: range.lowerBound) == UInt8(ascii: "\"")
          computed.error = isText ? range : nil
        case "$jsan", "__serializedType__": computed.isEscaped = true
        default: break
        }
      }
      computed.whole = computed.whole.lowerBound..<cursor.offset
    } else {
      computed.whole = try cursor.valueRange()
    }
    return computed
  }

  private func isUndefined(_ range: Range<Int>, _ file: FileBytes) throws -> Bool {
    guard range.count < 32 else { return false }
    return JavaScriptEscape.isUndefined(try file.value(range))
  }

  private mutating func addEntry(
    _ id: String, _ lifted: inout Lifted, to lines: inout DocumentLines
  ) throws {
    guard let range = lifted.entries[id] else {
      throw ImportError(
        what: "the action \(id) is staged but not in \"actionsById\"", place: file.path,
        next: "The file is damaged; export it again")
    }
    var parts: [DocumentLines.Part] = []
    let bytes = try file.checkedBytes(range)
    let inner = bytes.dropFirst().dropLast()
    if bytes.first != UInt8(ascii: "{") || bytes.withUnsafeBufferPointer(JavaScriptEscape.mayStand)
    {
      parts.append(DocumentLines.Part(.entry, range))
    } else if inner.contains(where: { $0 > 0x20 }) {
      parts.append(DocumentLines.Part(.members, range.lowerBound + 1..<range.upperBound - 1))
    }
    if let computed = try nextState(&lifted) {
      if computed.isEscaped {
        parts.append(DocumentLines.Part(.computed, computed.whole))
      } else if let known = computed.state {
        parts.append(DocumentLines.Part(.state, known))
      }
      if let error = computed.error { parts.append(DocumentLines.Part(.error, error)) }
    }
    if lifted.skipped.contains(id) {
      skippedMark = skippedMark ?? lines.make(.members, #""@skipped":true"#.utf8)
      if let skippedMark { parts.append(skippedMark) }
    }
    let clock = lifted.clock
    addStep(parts, bytes, in: range, to: &lines, clock) { $0["action"] ?? .null }
  }

  /// Adds a step, and the effects that its action starts or ends.
  private mutating func addStep(
    _ parts: [DocumentLines.Part], _ bytes: [UInt8], in range: Range<Int>,
    to lines: inout DocumentLines, _ clock: ReduxClock? = nil, action: (Value) -> Value
  ) {
    guard ReduxCauses.mayTell(bytes), let entry = try? document.value(range) else {
      return lines.addLine(parts)
    }
    let action = action(entry).plain
    var step = Step(
      number: number, time: clock?.time(ReduxClock.milliseconds(of: entry)),
      label: ReduxAction.label(action), action: action)
    step.stack = clock == nil ? nil : entry["stack"]?.string
    let (before, after) = causes.judge(&step)
    for event in before { lines.addLine([lines.make(.event, event.value.bytes())]) }
    var parts = parts
    if step.cause != .user {
      parts.append(lines.make(.members, #""@cause":\#(step.cause.value.text())"#.utf8))
    }
    lines.addLine(parts)
    for event in after { lines.addLine([lines.make(.event, event.value.bytes())]) }
  }

  private func ids(_ key: String, _ lifted: Lifted) throws -> [String] {
    guard let range = lifted.members[key], case .array(let array) = try file.value(range) else {
      return []
    }
    return array.compactMap { id in
      switch id {
      case .number(let number): number.text
      case .string(let text): text
      default: nil
      }
    }
  }

  private func position(_ lifted: Lifted) throws -> Value? {
    guard let range = lifted.members["currentStateIndex"],
      case .number(let number) = try file.value(range), let index = Int(number.text)
    else { return nil }
    return lifted.staged.indices.contains(index) ? .number(Number(index)) : nil
  }
}

private func unknownExport(_ file: FileBytes, _ keys: [String]) -> ImportError {
  ImportError(
    what: "expected an export of Redux DevTools with \"payload\" or \"actionsById\", found the "
      + "keys " + keys.prefix(8).map { "\"\($0)\"" }.joined(separator: ", "),
    place: file.path, next: "Export the session again with \"Export\" in Redux DevTools")
}
