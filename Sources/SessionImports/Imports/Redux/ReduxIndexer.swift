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
    try addStep([DocumentLines.Part(.action, range)], range, to: &lines) {
      Step(ofRedux: ["action": $0], ReduxClock())
    }
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
    if let first = try nextState(&lifted, isFirst: true) {
      facts["computed"] = place(first)
      facts["hasStates"] = true
    }
    lines.facts = .object(ValueObject(facts.map { ($0.key, $0.value) }))
  }

  private func nextState(_ lifted: inout Lifted, isFirst: Bool = false) throws -> Range<Int>? {
    guard try lifted.states?.nextElement(isFirst) == true else {
      lifted.states = nil
      return nil
    }
    return try lifted.states?.valueRange()
  }

  private mutating func addEntry(
    _ id: String, _ lifted: inout Lifted, to lines: inout DocumentLines
  ) throws {
    guard let range = lifted.entries[id] else {
      throw ImportError(
        what: "the action \(id) is staged but not in \"actionsById\"", place: file.path,
        next: "The file is damaged; export it again")
    }
    var parts = [DocumentLines.Part(.entry, range)]
    if let computed = try nextState(&lifted) {
      parts.append(DocumentLines.Part(.computed, computed))
    }
    if lifted.skipped.contains(id) {
      skippedMark = skippedMark ?? lines.make(.members, #""@skipped":true"#.utf8)
      if let skippedMark { parts.append(skippedMark) }
    }
    let clock = lifted.clock
    try addStep(parts, range, to: &lines) { Step(ofRedux: $0, clock) }
  }

  /// Adds a step, and the effects that its action starts or ends.
  private mutating func addStep(
    _ parts: [DocumentLines.Part], _ range: Range<Int>, to lines: inout DocumentLines,
    step: (Value) -> Step
  ) throws {
    guard ReduxCauses.mayTell(try file.checkedBytes(range)), let value = try? document.value(range)
    else { return lines.addLine(parts) }
    var step = step(value)
    step.number = number
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
