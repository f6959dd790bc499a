import SessionFile
import SessionWords
import ValueTree

/// Finds the actions of Redux DevTools, and the state that each led to.
struct ReduxIndexer: DocumentIndexer {
  /// The file with the parts, which is not the opened one if that holds JSON as text.
  let file: FileBytes
  let document: JavaScriptDocument
  /// At a list of raw actions, or behind the members that were found of a lifted state.
  private var cursor: JSONCursor
  /// Those of a lifted state of the DevTools' engine. Nil for a list of raw actions, as an app exports
  /// it: no times, no states.
  private var members: [String: Range<Int>]?
  private var states: JSONCursor?
  private var entries: [String: Range<Int>] = [:]
  private var staged: [String] = []
  private var skipped: Set<String> = []
  private var clock = ReduxClock()
  private let preloaded: Value?
  private var number = 0
  private var causes = ReduxCauses()
  private var skippedMark: DocumentLines.Part?

  /// The most texts and payloads around the actions.
  private static let mostCovers = 8

  init(
    _ file: FileBytes, at start: Int = 0, preloaded: Value? = nil, covers: Int = 0
  ) throws {
    guard covers <= Self.mostCovers else {
      throw ImportError.syntax(
        "more than \(Self.mostCovers) payloads inside one another", path: file.path, offset: start)
    }
    cursor = JSONCursor(file, at: start)
    let first = try cursor.peek()
    let start = cursor.offset
    guard first != UInt8(ascii: "\"") else {
      let text = try UnescapedText.file(of: cursor.valueRange(), in: file)
      self = try ReduxIndexer(text, preloaded: preloaded, covers: covers + 1)
      return
    }
    let isList = first != UInt8(ascii: "{")
    var found: [String: Range<Int>] = [:]
    let states = isList ? nil : try Self.findMembers(&found, at: &cursor)
    let texts = try ["actionsById", "computedStates"].filter { key in
      try found[key].map { try file.byte(at: $0.lowerBound) == UInt8(ascii: "\"") } ?? false
    }
    guard texts.isEmpty else {
      self = try ReduxIndexer(
        UnescapedText.file(of: found, texts: Set(texts), in: file), covers: covers + 1)
      return
    }
    guard isList || found["actionsById"] != nil else {
      guard let payload = found["payload"] else { throw unknownExport(file, found.keys.sorted()) }
      self = try ReduxIndexer(
        file, at: payload.lowerBound,
        preloaded: found["preloadedState"].map {
          try JavaScriptDocument(file, at: start).textualValue($0)
        }, covers: covers + 1)
      return
    }
    (self.file, self.preloaded, members) = (file, preloaded, isList ? nil : found)
    document = JavaScriptDocument(try file.again(), at: start)
    self.states = try states.map { JSONCursor(try file.again(), at: $0) }
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
    min(1, Double((states ?? cursor).offset) / Double(max(1, file.count)))
  }

  mutating func addLines(to lines: inout DocumentLines, most: Int) throws -> Bool {
    let end = most == .max ? .max : lines.size + most
    if number == 0 { lines.facts = .object(try begin()) }
    do {
      while try members == nil ? cursor.nextElement(number == 0) : number + 1 < staged.count {
        number += 1
        if members == nil { try addAction(to: &lines) } else { try addEntry(to: &lines) }
        if lines.size >= end { return true }
      }
    } catch let error as ImportError where members == nil && number > 1 && cursor.isAtEnd {
      lines.addLost("the file is cut off here: \(error.what)")
    }
    return false
  }

  private mutating func addAction(to lines: inout DocumentLines) throws {
    let range = try cursor.valueRange()
    guard try file.byte(at: range.lowerBound) == UInt8(ascii: "{") else {
      let found = try document.value(range).kindInWords
      return lines.addLost("action \(number) of the list is \(found), not an object with a type")
    }
    try addStep([DocumentLines.Part(.action, range)], range, to: &lines) {
      Step(ofRedux: ["action": $0], ReduxClock())
    }
  }

  /// Gives the facts about all steps.
  private mutating func begin() throws -> ValueObject {
    var facts: ValueObject = [:]
    guard var members else {
      facts["preloaded"] = preloaded
      return facts
    }
    let isCutShort = states != nil && members["computedStates"] == nil
    if isCutShort, !Self.needed.allSatisfy({ members[$0] != nil }) {
      members["computedStates"] = try cursor.valueRange()
      _ = try Self.findMembers(&members, at: &cursor)
    }
    entries = try members["actionsById"].map { try file.members(at: $0.lowerBound) } ?? [:]
    staged = try ids(members["stagedActionIds"])
    skipped = Set(try ids(members["skippedActionIds"]))
    // The first entry, `@@INIT`, may have been remade later, for example by an import.
    clock.start = staged.prefix(2).compactMap { id in
      entries[id].flatMap { try? document.value($0) }.flatMap(ReduxClock.milliseconds)
    }.min()
    facts["clock"] = clock.start.map { .number(Number(Int($0))) }
    if let index = try members["currentStateIndex"].map({ try file.value($0) })?.int,
      staged.indices.contains(index)
    {
      facts["position"] = .number(Number(index))
    }
    func place(_ range: Range<Int>) -> Value {
      [.number(Number(range.lowerBound)), .number(Number(range.upperBound))]
    }
    facts["committed"] = members["committedState"].map(place)
    facts["computed"] = try nextState(isFirst: true).map(place)
    return facts
  }

  private mutating func nextState(isFirst: Bool = false) throws -> Range<Int>? {
    guard try states?.nextElement(isFirst) == true else {
      states = nil
      return nil
    }
    return try states?.valueRange()
  }

  private mutating func addEntry(to lines: inout DocumentLines) throws {
    let id = staged[number]
    guard let range = entries[id] else {
      throw ImportError(
        what: "the action \(id) is staged but not in \"actionsById\"", place: file.path,
        next: "The file is damaged; export it again")
    }
    var parts = [DocumentLines.Part(.entry, range)]
    if let computed = try nextState() {
      parts.append(DocumentLines.Part(.computed, computed))
    }
    if skipped.contains(id) {
      skippedMark = skippedMark ?? lines.make(.members, #""@skipped":true"#.utf8)
      if let skippedMark { parts.append(skippedMark) }
    }
    let clock = clock
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
    let event = causes.judge(&step)
    var parts = parts
    if !step.cause.isFromOutside {
      parts.append(lines.make(.members, #""@cause":\#(step.cause.value.text())"#.utf8))
    }
    lines.addLine(parts)
    if let event { lines.addLine([lines.make(.event, event.value.bytes())]) }
  }

  private func ids(_ range: Range<Int>?) throws -> [String] {
    guard let range, case .array(let array) = try file.value(range) else { return [] }
    return array.compactMap { id -> String? in
      if case .number(let number) = id { number.text } else { id.string }
    }
  }
}

private func unknownExport(_ file: FileBytes, _ keys: [String]) -> ImportError {
  ImportError(
    what: "expected an export of Redux DevTools with \"payload\" or \"actionsById\", found the "
      + "keys " + keys.prefix(8).map { "\"\($0)\"" }.joined(separator: ", "),
    place: file.path, next: "Export the session again with \"Export\" in Redux DevTools")
}
