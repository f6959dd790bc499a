import SessionWords
import ValueTree

struct ReduxExport {
  let session: SessionExport
  let file: ExportFile

  func writeExport() throws {
    try file.write("{\n\t\"payload\": ")
    let isLifted =
      session.hasStates || session.tally.firstTime != nil || session.tally[.remarks] > 0
      || session.header.origin?.position != nil
    try file.quoted {
      guard !isLifted else { return try writeLifted() }
      try list("[", session.numbers, "]") { try action(of: session.step($0)) }
    }
    if !isLifted, let state = session.header.state {
      try file.write(",\n\t\"preloadedState\": ")
      try file.quoted { try file.write(javaScript: state) }
    }
    try file.write("\n}")
  }

  func writeLifted() throws {
    let count = session.numbers.count
    try file.write("{\"monitorState\":{},\"actionsById\":{\"0\":\(start.text())")
    for (index, number) in session.numbers.enumerated() {
      let step = try session.step(number)
      try file.write(",\"\(index + 1)\":")
      try file.write(javaScript: entry(action(of: step), at: step.time, step))
    }
    try file.write("},\"nextActionId\":\(count + 1)")
    try list(",\"stagedActionIds\":[", 0..<count + 1, "]") { .number(Number($0)) }
    let first = session.reader.steps.lowerBound
    let skipped = try session.numbers.filter { try session.step($0).isSkipped }
    try list(",\"skippedActionIds\":[", skipped, "]") { .number(Number($0 - first)) }
    let position = (session.header.origin?.position ?? first + count) - first
    try file.write(",\"currentStateIndex\":\(min(max(0, position), count))")
    if let state = session.header.state {
      try file.write(",\"committedState\":")
      try file.write(javaScript: state)
    }
    let computed = session.hasStates ? first..<first + count + 1 : 0..<0
    try list(",\"computedStates\":[", computed, "]", computedState)
    try file.write(",\"isLocked\":false,\"isPaused\":false}")
  }

  private var start: Value {
    let time = session.header.firstTime ?? .zero
    return entry(
      ["type": "@@INIT"],
      at: session.header.started != nil || session.tally.firstTime != nil ? time : nil)
  }

  private func entry(_ action: Value, at time: Duration?, _ step: Step? = nil) -> Value {
    var entry: ValueObject = ["type": "PERFORM_ACTION", "action": action]
    if let time {
      let start = session.header.startInMilliseconds ?? 0
      entry["timestamp"] = .number(Number(start + Int((time / .milliseconds(1)).rounded())))
    }
    entry["stack"] = step?.stack.map { .string($0) }
    // Only Retcon reads this member; no host runs such an action.
    entry["lost"] = step?.damage.map { .string($0) }
    return .object(entry)
  }

  private func action(of step: Step) -> Value {
    ReduxAction.type(of: step.action) != nil
      ? step.action : ["type": .string(step.label), "payload": step.action]
  }

  private func computedState(_ number: Int) throws -> Value {
    var computed: ValueObject = [:]
    computed["state"] = try session.state(after: number)
    if session.numbers.contains(number) {
      computed["error"] = try session.step(number).error.map { .string($0) }
    }
    return .object(computed)
  }

  private func list(
    _ start: String, _ numbers: some Sequence<Int>, _ end: String, _ element: (Int) throws -> Value
  ) throws {
    var separator = start
    for number in numbers {
      try file.write(separator)
      try file.write(javaScript: element(number))
      separator = ","
    }
    try file.write(separator == start ? start + end : end)
  }
}
