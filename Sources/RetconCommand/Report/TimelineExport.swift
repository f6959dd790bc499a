import Debugger
import Encodings
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Writes a session as a timeline of another tool.
struct TimelineExport {
  enum Form: String, CaseIterable {
    /// Trace events, which Perfetto and speedscope open.
    case chromeTrace = "chrome-trace"
    /// A trace of OpenTelemetry, as its protocol has it in JSON.
    case otlp
    /// A tour of the session for asciinema, version 3.
    case asciicast
  }

  let session: QueriedSession
  /// The numbers to draw as counters.
  var watched: [Pointer] = []

  func text(_ form: Form) async throws -> String {
    switch form {
    case .chromeTrace: return try await chromeTrace().text() + "\n"
    case .otlp: return try trace().text() + "\n"
    case .asciicast: return try await tour().map { $0.text() + "\n" }.joined()
    }
  }

  private var steps: ClosedRange<Int> { session.branch.steps }

  private func step(_ number: Int) throws -> Step {
    try session.open.step(at: session.at(number)).step
  }

  /// The time of a step. Without recorded times, a step takes a millisecond.
  private func time(_ step: Step) -> Duration {
    step.time ?? .milliseconds(step.number - steps.lowerBound)
  }

  private func end(of span: EffectSpan) throws -> Duration {
    try span.end?.time ?? time(step(span.end?.step ?? steps.upperBound))
  }

  private func start(of span: EffectSpan) throws -> Duration {
    try span.started ?? time(step(max(span.origin.step, steps.lowerBound)))
  }

  private func facts(of step: Step) -> ValueObject {
    var facts: ValueObject = ["step": Value(step.number), "action": step.action]
    facts["error"] = step.error.map(Value.string)
    return facts
  }

  // MARK: Chrome

  private func chromeTrace() async throws -> Value {
    func event(
      _ phase: String, _ name: String, _ category: String, _ time: Duration, _ rest: ValueObject
    ) -> Value {
      var event: ValueObject = [
        "ph": .string(phase), "name": .string(name), "cat": .string(category), "pid": 1, "tid": 1,
        "ts": .number(Number(Double(time.nanoseconds) / 1_000)),
      ]
      event.add(.object(rest))
      return .object(event)
    }
    let app = session.reader.header.app?.name ?? session.file
    var events = [
      event("M", "process_name", "", .zero, ["args": ["name": .string(app)]]),
      event("M", "thread_name", "", .zero, ["args": ["name": "actions"]]),
    ]
    var last: [Value?] = watched.map { _ in nil }
    for number in steps {
      let step = try step(number)
      let time = time(step)
      if number > steps.lowerBound {
        events.append(
          event("i", step.label, "action", time, ["s": "t", "args": .object(facts(of: step))]))
      }
      if case .effect(let effect) = step.cause,
        let span = try session.open.effects(in: number...number, of: session.branch.name)
          .first(where: { $0.number == effect })
      {
        // One arrow from what started the effect to each action that it sent.
        let id: ValueObject = ["id": .string("\(effect)/\(number)")]
        events.append(event("s", span.name, "cause", try start(of: span), id))
        var end = id
        end["bp"] = "e"
        events.append(event("f", span.name, "cause", time, end))
      }
      guard !watched.isEmpty, let state = try? await session.open.state(at: session.at(number))
      else { continue }
      for (index, place) in watched.enumerated() {
        guard case .number? = state[place], state[place] != last[index] else { continue }
        last[index] = state[place]
        events.append(
          event("C", "\(place)", "state", time, ["args": ["value": state[place] ?? .null]]))
      }
    }
    for span in try session.open.effects(in: steps, of: session.branch.name) {
      let id: ValueObject = [
        "id": Value(span.number),
        "args": ["effect": Value(span.number), "end": .string(span.endWords)],
      ]
      events.append(event("b", span.name, "effect", try start(of: span), id))
      events.append(event("e", span.name, "effect", try end(of: span), id))
    }
    return ["displayTimeUnit": "ms", "traceEvents": .array(ValueArray(events))]
  }

  // MARK: OpenTelemetry

  private func trace() throws -> Value {
    let header = session.reader.header
    let began = header.started.flatMap { UTCText.milliseconds(of: $0) } ?? 0
    func nanoseconds(_ time: Duration) -> Value {
      .string("\(began * 1_000_000 + time.nanoseconds)")
    }
    func attribute(_ key: String, _ value: Value) -> Value {
      if case .number = value, Int(value.text()) != nil {
        return ["key": .string(key), "value": ["intValue": .string(value.text())]]
      }
      return ["key": .string(key), "value": ["stringValue": .string(value.string ?? value.text())]]
    }
    let name = header.app?.name ?? session.file
    let hash = SHA256.hash("\(header.session ?? "")\n\(name)\n\(header.started ?? "")".utf8)
    func digits(_ bytes: some Sequence<UInt8>) -> Value {
      .string(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }
    let (trace, root) = (digits(hash.prefix(16)), digits(hash[16..<24]))
    var actions: [Value] = []
    for number in steps.dropFirst() {
      let step = try step(number)
      var attributes = [
        attribute("retcon.step", Value(number)), attribute("retcon.action", step.action),
        attribute("retcon.cause", .string(step.cause.word)),
      ]
      if let error = step.error {
        attributes.append(attribute("exception.message", .string(error)))
      }
      actions.append([
        "timeUnixNano": nanoseconds(time(step)), "name": .string(step.label),
        "attributes": .array(ValueArray(attributes)),
      ])
    }
    var spans: [Value] = [
      [
        "traceId": trace, "spanId": root, "name": .string(name), "kind": 1,
        "startTimeUnixNano": nanoseconds(try time(step(steps.lowerBound))),
        "endTimeUnixNano": nanoseconds(try time(step(steps.upperBound))),
        "events": .array(ValueArray(actions)),
      ]
    ]
    for span in try session.open.effects(in: steps, of: session.branch.name) {
      var bytes = Array(hash[24..<32])
      for place in 0..<8 { bytes[place] ^= UInt8(truncatingIfNeeded: span.number >> (8 * place)) }
      var object: ValueObject = [
        "traceId": trace, "spanId": digits(bytes), "parentSpanId": root,
        "name": .string(span.name), "kind": 3,
        "startTimeUnixNano": nanoseconds(try start(of: span)),
        "endTimeUnixNano": nanoseconds(try end(of: span)),
        "attributes": [
          attribute("retcon.effect", Value(span.number)),
          attribute("retcon.step", Value(span.origin.step)),
          attribute("retcon.end", .string(span.endWords)),
          attribute("code.file.path", .string(span.origin.file)),
          attribute("code.line.number", Value(span.origin.line)),
        ],
      ]
      if case .failed(let message) = span.end?.manner {
        object["status"] = ["code": 2, "message": .string(message)]
      }
      spans.append(.object(object))
    }
    let scope: Value = ["name": "retcon", "version": .string(version)]
    return [
      "resourceSpans": [
        [
          "resource": ["attributes": [attribute("service.name", .string(name))]],
          "scopeSpans": [["scope": scope, "spans": .array(ValueArray(spans))]],
        ]
      ]
    ]
  }

  // MARK: asciinema

  /// The debugger's screens at the start, at failures, at marks and at the end.
  private func tour() async throws -> [Value] {
    let size = Size(width: 100, height: 30)
    var places = [steps.lowerBound, steps.upperBound]
    places += try await session.open.failures(of: session.branch.name).map(\.position.step)
    places += session.open.marks.keys.filter { $0.branch == session.branch.name }.map(\.step)
    var lines: [Value] = [
      [
        "version": 3, "term": ["cols": Value(size.width), "rows": Value(size.height)],
        "title": .string(SafeText.line(session.file)),
      ]
    ]
    for (index, step) in Set(places).sorted().prefix(60).enumerated() {
      let canvas = await DebuggerApp.print(session.open, size: size, position: session.at(step))
      let pause: Value = index == 0 ? 0 : 2
      lines.append([pause, "o", .string(canvas.escapes)])
      lines.append([0, "m", .string("step \(step)")])
    }
    lines.append([2, "x", "0"])
    return lines
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

extension Cause {
  fileprivate var word: String {
    switch self {
    case .user: "user"
    case .effect(let number): "effect \(number)"
    case .output(let step): "step \(step)"
    }
  }
}

extension Canvas {
  /// The whole picture as a terminal draws it. The cells hold safe text.
  fileprivate var escapes: String {
    var text = "\u{1B}[H\u{1B}[2J"
    for row in 0..<fullSize.height {
      if row > 0 { text += "\r\n" }
      var style = Style.plain
      for column in 0..<fullSize.width {
        guard let cell = self[Point(column: column, row: row)], cell.width > 0 else { continue }
        if cell.style != style { text += cell.style.escape }
        style = cell.style
        text += cell.text
      }
      if style != .plain { text += Style.plain.escape }
    }
    return text
  }
}

extension Style {
  fileprivate var escape: String {
    var codes = ["0"]
    let all: [(Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    codes += all.filter { attributes.contains($0.0) }.map(\.1)
    codes += foreground.code(38) + background.code(48)
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}

extension Color {
  fileprivate func code(_ kind: Int) -> [String] {
    if case .palette(let number) = self { ["\(kind)", "5", "\(number)"] } else { [] }
  }
}
