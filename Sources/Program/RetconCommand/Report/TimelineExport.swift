import Debugger
import Platform
import SessionFile
import SessionWords
import TerminalKit
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
    /// A tour of the session for asciinema: version 2, which every asciinema plays, or 3.
    case asciicast
    case asciicastV3 = "asciicast-v3"
  }

  let session: QueriedSession
  /// The numbers to draw as counters.
  var watched: [Pointer] = []

  func text(_ form: Form) async throws -> String {
    switch form {
    case .chromeTrace: return try await chromeTrace().text() + "\n"
    case .otlp: return try trace().text() + "\n"
    case .asciicast, .asciicastV3:
      return try await tour(inVersion: form == .asciicast ? 2 : 3).map { $0.text() + "\n" }.joined()
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

  private var effects: [EffectSpan] {
    get throws { try session.open.effects(in: steps, of: session.branch.id) }
  }

  // MARK: Chrome

  private func chromeTrace() async throws -> Value {
    let app = session.reader.header.app?.name ?? session.file
    var events = [
      event("M", "process_name", args: ["name": .string(app)]),
      event("M", "thread_name", args: ["name": "actions"]),
    ]
    for number in steps.dropFirst() {
      let step = try step(number)
      var facts: ValueObject = ["step": Value(number), "action": step.action]
      facts["error"] = step.error.map(Value.string)
      events.append(
        event("i", step.label, "action", time(step), ["s": "t"], args: .object(facts)))
    }
    for span in try effects {
      let id: ValueObject = ["id": Value(span.number.number)]
      let args: Value = ["effect": Value(span.number.number), "end": .string(span.endWords)]
      events.append(event("b", span.name, "effect", try start(of: span), id, args: args))
      events.append(event("e", span.name, "effect", try end(of: span), id, args: args))
    }
    events += try arrows()
    events += try await counters()
    return ["displayTimeUnit": "ms", "traceEvents": .array(ValueArray(events))]
  }

  private func event(
    _ phase: String, _ name: String, _ category: String = "", _ time: Duration = .zero,
    _ rest: ValueObject = [:], args: Value? = nil
  ) -> Value {
    var event: ValueObject = [
      "ph": .string(phase), "name": .string(name), "cat": .string(category), "pid": 1, "tid": 1,
      "ts": .number(Number(Double(time.nanoseconds) / 1_000)),
    ]
    event.add(.object(rest))
    event["args"] = args
    return .object(event)
  }

  /// Arrows from the start of an effect to each action that it sent.
  private func arrows() throws -> [Value] {
    let started = Dictionary(try effects.map { ($0.number, $0) }) { first, _ in first }
    return try steps.flatMap { number -> [Value] in
      let step = try step(number)
      guard case .effect(let effect) = step.cause, let span = started[effect] else { return [] }
      let id: Value = .string("\(effect)/\(number)")
      return [
        event("s", span.name, "cause", try start(of: span), ["id": id]),
        event("f", span.name, "cause", time(step), ["id": id, "bp": "e"]),
      ]
    }
  }

  /// The watched numbers, where they change.
  private func counters() async throws -> [Value] {
    var events: [Value] = []
    var last: [Pointer: Value] = [:]
    for number in steps where !watched.isEmpty {
      guard let state = try? await session.open.state(at: session.at(number)) else { continue }
      let time = time(try step(number))
      for place in watched {
        guard let value = state[place], case .number = value, value != last[place] else { continue }
        last[place] = value
        events.append(event("C", "\(place)", "state", time, args: ["value": value]))
      }
    }
    return events
  }

  // MARK: OpenTelemetry

  private func trace() throws -> Value {
    let header = session.reader.header
    let name = header.app?.name ?? session.file
    let hash = SHA256.hash("\(header.session ?? "")\n\(name)\n\(header.started ?? "")".utf8)
    let (trace, root) = (Self.digits(hash.prefix(16)), Self.digits(hash[16..<24]))
    var spans: [Value] = [
      [
        "traceId": trace, "spanId": root, "name": .string(name), "kind": 1,
        "startTimeUnixNano": moment(try time(step(steps.lowerBound))),
        "endTimeUnixNano": moment(try time(step(steps.upperBound))),
      ]
    ]
    /// Effects have even numbers, actions odd ones.
    func id(_ number: Int) -> Value {
      var id = Array(hash[24..<32])
      for place in 0..<8 { id[place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
      return Self.digits(id)
    }
    let started = Set(try effects.map(\.number))
    for number in steps.dropFirst() {
      let step = try step(number)
      var parent = root
      if case .effect(let effect) = step.cause, started.contains(effect) {
        parent = id(2 * effect.number)
      }
      spans.append(
        .object(
          action(step, ["traceId": trace, "spanId": id(2 * number + 1), "parentSpanId": parent])))
    }
    for effect in try effects {
      let number = effect.number.number
      var span: ValueObject = [
        "traceId": trace, "spanId": id(2 * number), "parentSpanId": root,
        "name": .string(effect.name), "kind": 3,
        "startTimeUnixNano": moment(try start(of: effect)),
        "endTimeUnixNano": moment(try end(of: effect)),
        "attributes": Self.attributes([
          ("retcon.effect", Value(number)), ("retcon.step", Value(effect.origin.step)),
          ("retcon.end", .string(effect.endWords)),
          ("code.file.path", .string(effect.origin.file)),
          ("code.line.number", Value(effect.origin.line)),
        ]),
      ]
      if case .failed(let message) = effect.end?.manner {
        span["status"] = ["code": 2, "message": .string(message)]
      }
      spans.append(.object(span))
    }
    let scope: Value = ["name": "retcon", "version": .string(version)]
    return [
      "resourceSpans": [
        [
          "resource": ["attributes": Self.attributes([("service.name", .string(name))])],
          "scopeSpans": [["scope": scope, "spans": .array(ValueArray(spans))]],
        ]
      ]
    ]
  }

  /// An action takes no time.
  private func action(_ step: Step, _ ids: ValueObject) -> ValueObject {
    var span = ids
    span.add([
      "name": .string(step.label), "kind": 1, "startTimeUnixNano": moment(time(step)),
      "endTimeUnixNano": moment(time(step)),
      "attributes": Self.attributes([
        ("retcon.step", Value(step.number)), ("retcon.action", step.action),
        ("retcon.cause", .string(step.cause.word)),
      ]),
    ])
    if let error = step.error { span["status"] = ["code": 2, "message": .string(error)] }
    return span
  }

  private func moment(_ time: Duration) -> Value {
    let began = session.reader.header.started.flatMap { UTCText.milliseconds(of: $0) } ?? 0
    return .string("\(Int128(began) * 1_000_000 + time.nanoseconds)")
  }

  private static func digits(_ bytes: some Sequence<UInt8>) -> Value {
    .string(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
  }

  private static func attributes(_ all: [(String, Value)]) -> Value {
    .list(all) { key, value in
      if case .number = value, Int(value.text()) != nil {
        return ["key": .string(key), "value": ["intValue": .string(value.text())]]
      }
      return ["key": .string(key), "value": ["stringValue": .string(value.string ?? value.text())]]
    }
  }

  // MARK: asciinema

  /// The debugger's screens at the start, at failures, at marks and at the end.
  private func tour(inVersion version: Int) async throws -> [Value] {
    let size = Size(width: 100, height: 30)
    var places = [steps.lowerBound, steps.upperBound]
    places += try await session.open.failures(of: session.branch.id).map(\.position.step)
    places += session.open.marks.keys.filter { $0.branch == session.branch.id }.map(\.step)
    var head: ValueObject = ["version": Value(version)]
    if version == 2 {
      head.add(["width": Value(size.width), "height": Value(size.height)])
    } else {
      head["term"] = ["cols": Value(size.width), "rows": Value(size.height)]
    }
    head["title"] = .string(SafeText.line(session.file))
    var lines = [Value.object(head)]
    for (index, step) in Set(places).sorted().prefix(60).enumerated() {
      let canvas = await DebuggerApp.print(session.open, size: size, position: session.at(step))
      // Version 2 counts from the start, version 3 from the line before.
      let time = version == 2 ? 2 * index : index == 0 ? 0 : 2
      lines.append([Value(time), "o", .string(canvas.escapes)])
      lines.append([Value(version == 2 ? time : 0), "m", .string("step \(step)")])
    }
    if version == 3 { lines.append([2, "x", "0"]) }
    return lines
  }
}

extension Duration {
  fileprivate var nanoseconds: Int128 { attoseconds / 1_000_000_000 }
}

extension Cause {
  fileprivate var word: String {
    switch self {
    case .user: "user"
    case .outside(let name): name ?? "outside"
    case .unknown: "unknown"
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
        if cell.style != style { text += StyleSequence.text(for: cell.style, colors: 256) }
        style = cell.style
        text += cell.text
      }
      if style != .plain { text += StyleSequence.text(for: .plain, colors: 256) }
    }
    return text
  }
}
