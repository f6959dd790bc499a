import SessionFile
import SessionWords
import ValueTree

/// The lifted state of the Redux DevTools engine: actions with times, skips, and states.
struct ReduxLifted {
  let document: JavaScriptDocument
  let members: [String: Range<Int>]

  func write(
    into path: String, named name: String?, progress: (Double) throws -> Void
  ) throws {
    let actions =
      try members["actionsById"].map { try document.file.members(at: $0.lowerBound) } ?? [:]
    let staged = try ids("stagedActionIds")
    let skipped = Set(try ids("skippedActionIds"))
    let states = try stateRanges()
    let clock = try ReduxClock(
      first: time(staged.first, actions), second: time(staged.dropFirst().first, actions))

    var header = SessionHeader(
      app: SessionHeader.App(name ?? "Redux app"),
      capability: .replay,
      state: try state(at: 0, states)?.state
        ?? members["committedState"].map { plain(try document.value($0)) },
      states: states.isEmpty ? .first : .everyStep)
    header.origin = SessionHeader.Origin(
      format: "Redux DevTools", file: name, position: try position(count: staged.count))
    header.started = clock.started
    header.knowsCauses = false
    let writer = try SessionWriter(path: path, header: header)
    var last = header.state
    var causes = ReduxCauses()
    for (number, id) in staged.enumerated().dropFirst() {
      guard let range = actions[id] else {
        throw ImportError(
          what: "the action \(id) is staged but not in \"actionsById\"", place: document.file.path,
          next: "The file is damaged; export it again")
      }
      let entry = try document.value(range)
      let action = plain(entry["action"] ?? .null)
      let computed = try state(at: number, states)
      // A reducer that threw kept the state.
      let isKnown = computed?.state != nil || computed?.error != nil
      last = computed?.state ?? last
      var step = Step(
        number: number, time: clock.time(milliseconds(entry)),
        label: ReduxAction.label(action), action: action, isSkipped: skipped.contains(id),
        error: computed?.error)
      step.stack = entry["stack"]?.string
      let (before, after) = causes.judge(&step)
      for event in before { try writer.append(event) }
      try writer.append(step, state: isKnown ? last : nil)
      for event in after { try writer.append(event) }
      if number.isMultiple(of: 256) { try progress(Double(number) / Double(staged.count)) }
    }
    try writer.finish()
  }

  private func ids(_ key: String) throws -> [String] {
    guard let range = members[key], case .array(let array) = try document.file.value(range) else {
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

  private func stateRanges() throws -> [Range<Int>] {
    guard let start = members["computedStates"]?.lowerBound,
      try document.file.byte(at: start) == UInt8(ascii: "[")
    else { return [] }
    return try document.file.elements(at: start)
  }

  private func state(
    at index: Int, _ ranges: [Range<Int>]
  ) throws -> (state: Value?, error: String?)? {
    guard ranges.indices.contains(index) else { return nil }
    let entry = try document.value(ranges[index])
    return (entry["state"].map(plain), entry["error"]?.string)
  }

  /// Parses JSON text, which some apps use for actions and states; other text stays.
  private func plain(_ value: Value) -> Value {
    guard let text = value.string, text.hasPrefix("{") || text.hasPrefix("[") else { return value }
    return (try? Value(parsing: text)) ?? value
  }

  private func position(count: Int) throws -> Int? {
    guard let range = members["currentStateIndex"],
      case .number(let number) = try document.file.value(range), let index = Int(number.text)
    else { return nil }
    return (0..<count).contains(index) ? index : nil
  }

  private func time(_ id: String?, _ actions: [String: Range<Int>]) throws -> Int64? {
    guard let id, let range = actions[id] else { return nil }
    return milliseconds(try document.value(range))
  }

  private func milliseconds(_ entry: Value) -> Int64? {
    guard case .number(let number)? = entry["timestamp"] else { return nil }
    return Int64(exactly: number.doubleValue.rounded())
  }
}

/// Converts timestamps to times since the start.
///
/// The start is the first entry, `@@INIT`, or the first action if that entry was remade later, for
/// example by an import.
struct ReduxClock {
  private let start: Int64?

  init(first: Int64?, second: Int64?) {
    switch (first, second) {
    case (let first?, let second?): start = first <= second ? first : second
    default: start = first ?? second
    }
  }

  func time(_ milliseconds: Int64?) -> Duration? {
    guard let start, let milliseconds else { return nil }
    let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(start)
    return isTooLarge ? nil : .milliseconds(difference)
  }

  var started: String? { start.flatMap { UTCText.of(milliseconds: $0) } }
}
