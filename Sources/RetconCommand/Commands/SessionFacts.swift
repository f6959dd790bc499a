import Debugger
import SessionLog
import TextCanvas
import ValueTree

/// What `retcon info` says of a session, for people and for programs.
struct SessionFacts {
  let reader: SessionReader
  let census: SessionCensus
  /// How much of the file was looked at, where that is not all.
  let examined: String?

  init(_ reader: SessionReader, _ census: SessionCensus, examined: String?) {
    self.reader = reader
    self.census = census
    self.examined = examined
  }

  /// Whether nothing is missing, left out or damaged, as far as it was looked at.
  var isWhole: Bool {
    reader.isFinished && counts.allSatisfy { $0.count == 0 }
      && !reader.notices.contains { $0.isTrouble }
  }

  private var counts: [(name: String, count: Int, words: String)] {
    [
      ("lost steps", census.lostSteps, "the recorder could not write them"),
      ("lost lines", census.lostLines, "between steps; the recorder could not write them"),
      ("missing steps", census.missingSteps, "the file has no line for them"),
      ("dropped states", census.droppedStates, "the recorder had fallen behind"),
      ("absent states", census.absentStates, "a host computes them"),
      ("skipped steps", census.skippedSteps, "they were skipped when they were recorded"),
    ]
  }

  /// As members of a JSON object.
  var members: [ValueObject.Element] {
    get throws {
      var members = try head
      members.append(("ended", .bool(reader.isFinished)))
      members.append(("being recorded", .bool(!reader.isFinished && reader.isBeingRecorded)))
      members += counts.map { ($0.name, .number(Number($0.count))) }
      members.append(("whole", .bool(isWhole)))
      return members + tail
    }
  }

  /// As lines of text.
  var lines: [String] {
    get throws {
      var rows = try head.map { ($0.key, texts($0.value)) }
      if !reader.isFinished {
        let reason =
          reader.isBeingRecorded
          ? "an app records into it now" : "the app stopped before it could say so"
        rows.append(("ended", ["no: \(reason)"]))
      }
      rows += counts.filter { $0.count > 0 }.map {
        ($0.name, ["\(grouped($0.count)): \($0.words)"])
      }
      rows += tail.map { ($0.key, texts($0.value)) }
      let width = rows.map(\.0.count).max() ?? 0
      return rows.flatMap { name, texts in
        texts.enumerated().map { index, text in
          let name = index == 0 ? name : ""
          return name + String(repeating: " ", count: width - name.count + 2) + text
        }
      }
    }
  }

  private var head: [ValueObject.Element] {
    get throws {
      let header = reader.header
      var facts: [ValueObject.Element] = [("file", .string(reader.path))]
      func add(_ key: String, _ value: Value?) { if let value { facts.append((key, value)) } }
      add("app", header.app.map { .string($0.name + ($0.version.map { " \($0)" } ?? "")) })
      add("from", header.origin.map { .string($0.format) })
      add("started", header.started.map { .string($0) })
      add("steps", .number(Number(reader.stepCount)))
      if header.firstStep > 0 { add("first", .number(Number(header.firstStep + 1))) }
      add("duration", try duration.map { .string($0) })
      if case .browse(let reason) = header.capability { add("browse only", .string(reason)) }
      switch header.states {
      case .everyStep: break
      case .every(let interval): add("states", .string("of every \(interval) steps"))
      case .first: add("states", .string("of the start only"))
      }
      add("on tape", list(reader.tape))
      add("redacted", list(header.redacted))
      return facts
    }
  }

  private var tail: [ValueObject.Element] {
    var facts: [ValueObject.Element] = []
    if let notices = list(reader.notices.map(\.sentence)) { facts.append(("notices", notices)) }
    if let examined { facts.append(("examined", .string(examined))) }
    return facts
  }

  /// From the first time that is known to the last one.
  private var duration: String? {
    get throws {
      func time(_ steps: some Sequence<Int>) throws -> Duration? {
        for step in steps { if let time = try reader.step(step).time { return time } }
        return nil
      }
      let first = try reader.header.firstTime ?? time(reader.steps.prefix(Self.lookedAtForTime))
      let last = try time(reader.steps.suffix(Self.lookedAtForTime).reversed())
      guard let first, let last else { return nil }
      return last < first ? "unknown: the times go down" : (last - first).longText
    }
  }

  private static let lookedAtForTime = 1_000

  private func list(_ texts: [String]) -> Value? {
    guard !texts.isEmpty else { return .none }
    return .array(ValueArray(texts.map { .string($0) }))
  }

  private func texts(_ value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let array): array.flatMap(texts)
    case .number: [Int(value.text()).map(grouped) ?? value.text()]
    default: [value.text()]
    }
  }
}

extension Notice {
  /// Whether something is missing or damaged; a newer version of the format is not.
  fileprivate var isTrouble: Bool {
    switch finding {
    case .newerVersion, .unknownLines: false
    default: true
    }
  }
}
