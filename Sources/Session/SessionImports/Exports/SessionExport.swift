import Platform
import SessionFile
import SessionWords
import ValueTree

/// Writes a session as another tool's file, and lists what that cannot hold.
package struct SessionExport: Sendable {
  package enum Form: String, CaseIterable, Sendable {
    /// An app's export by Redux DevTools. If a list of actions cannot hold everything (times,
    /// skips, errors, states, the position), its payload is a lifted state, which DevTools imports
    /// as well.
    case redux
    case reduxLifted = "redux-lifted"
    /// A line for each action, with the state after it.
    case jsonLines = "jsonl"
  }

  let reader: SessionReader
  let header: SessionHeader
  let tally: ExportTally
  /// Whether the file holds a state besides the first one.
  let hasStates: Bool
  /// Makes dates of the times of JSON Lines; 0 if these are seconds.
  private let clockStart: Duration
  private let lostStates = Locked(0)

  package init(_ reader: SessionReader) throws {
    self.reader = reader
    header = reader.header
    tally = try ExportTally(reader)
    clockStart = .milliseconds(tally.clockStart(header) ?? 0)
    hasStates = try header.states != .first || reader.count(ofStatesUpTo: 1) > 0
  }

  /// Returns the missing facts in a few words each. `replacing` overwrites an existing file, but
  /// never the session, which is also the file `source`.
  package func write(
    _ form: Form, to path: String, replacing: Bool = false, source: String? = nil
  ) throws -> [String] {
    if replacing { try reader.checkIsAnother(path, madeFrom: source) }
    let file = try ExportFile(path: path, replacing: replacing)
    switch form {
    case .redux: try ReduxExport(session: self, file: file).writeExport()
    case .reduxLifted: try ReduxExport(session: self, file: file).writeLifted()
    case .jsonLines: try writeLines(to: file)
    }
    try file.commit()
    let rounded = file.rounded.map {
      "the exact value of numbers such as \($0.text): JavaScript rounds them"
    }
    let lostCount = lostStates.withLock { $0 }
    let lost = lostCount > 0 ? counted(lostCount, "lost state") : nil
    return tally.losses(in: form, header) + [lost, rounded].compactMap(\.self)
  }

  private func writeLines(to file: ExportFile) throws {
    if let state = header.state { try file.write("{\"state\":\(state.text())}\n") }
    try reader.readParts(of: numbers) { part in
      var lines: [String] = []
      var size = 0
      for number in part where size < Self.largestPart {
        lines.append(try line(of: number).text() + "\n")
        size += lines[lines.count - 1].utf8.count
      }
      return (lines, rest: part.lowerBound + lines.count..<part.upperBound + 1)
    } take: { (lines, rest) in
      for line in lines { try file.write(line) }
      for number in rest { try file.write(line(of: number).text() + "\n") }
    }
  }

  /// The bytes that each processor holds. Lines behind them are made one by one.
  private static let largestPart = 8 << 20

  private func line(of number: Int) throws -> Value {
    let step = try step(number)
    let state = try state(after: number)
    return step.damage.map { .line(["lost": $0, "state": state]) }
      ?? .line([
        "time": step.time.map { $0 + clockStart }, "label": step.label, "skipped": step.isSkipped,
        "error": step.error, "stack": step.stack, "action": step.action, "state": state,
      ])
  }

  var numbers: Range<Int> { (reader.steps.lowerBound + 1)..<(reader.steps.upperBound + 1) }

  /// Reports an unfinished step as an error. Only lost steps keep their damage.
  func step(_ number: Int) throws -> Step {
    var step = try reader.step(number)
    guard step.isUnfinished else { return step }
    step.error = step.error ?? "the app stopped inside its reducer"
    step.damage = nil
    return step
  }

  func state(after number: Int) throws -> Value? {
    do throws(SessionError) { return try reader.state(after: number) } catch {
      switch error.problem {
      case .stateNotStored where header.origin?.statesBy == nil: return nil
      // A host had to compute it, and could not.
      case .stateNotStored, .stateLost:
        lostStates.withLock { $0 += 1 }
        return nil
      default: throw error
      }
    }
  }
}

/// How often a session has what not every form can hold.
struct ExportTally: Sendable {
  /// Of the first step that has one.
  private(set) var firstTime: Duration?
  private var counts = [Int](repeating: 0, count: Fact.allCases.count)

  enum Fact: Int, CaseIterable {
    /// Facts about steps that only a lifted state can hold.
    case remarks
    case standings, untyped, relabelled, reads, effectEvents, signposts
  }

  subscript(fact: Fact) -> Int { counts[fact.rawValue] }

  init(_ reader: SessionReader) throws {
    let steps = reader.steps
    try reader.readParts(of: steps.lowerBound..<steps.upperBound + 1) {
      try ExportTally(reader, $0)
    } take: { part in
      firstTime = firstTime ?? part.firstTime
      for fact in Fact.allCases { add(part[fact], fact) }
    }
  }

  private init(_ reader: SessionReader, _ numbers: ClosedRange<Int>) throws {
    for number in numbers where number > reader.header.firstStep {
      let step = try reader.step(number)
      firstTime = firstTime ?? step.time
      let hasRemark =
        step.isSkipped || step.error != nil || step.stack != nil || step.isUnfinished
        || step.damage != nil
      if hasRemark { add(1, .remarks) }
      if step.standing != nil { add(1, .standings) }
      let type = ReduxAction.type(of: step.action)
      if type != step.label { add(1, type == nil ? .untyped : .relabelled) }
      add(step.reads.count, .reads)
    }
    let lines = try reader.counts(in: numbers)
    add(lines.events, .effectEvents)
    add(lines.reads, .reads)
    add(lines.signposts, .signposts)
  }

  private mutating func add(_ count: Int, _ fact: Fact) { counts[fact.rawValue] += count }

  /// The start in milliseconds, if JSON Lines can hold dates without a loss: read again, they start
  /// with the first step, and have no smaller parts.
  func clockStart(_ header: SessionHeader) -> Int? {
    guard header.origin?.isForeign == true, firstTime == .zero else { return nil }
    return header.startInMilliseconds.flatMap { $0 >= 100_000_000_000 ? $0 : nil }
  }

  func losses(in form: SessionExport.Form, _ header: SessionHeader) -> [String] {
    var words: [String] = []
    func add(_ fact: Fact, _ singular: String, of owner: String = "") {
      if self[fact] > 0 { words.append(counted(self[fact], singular) + owner) }
    }
    if header.knowsCauses { words.append("what sent each action") }
    // Reading the export finds these again, from the ids of the requests.
    let areFoundAgain = form != .jsonLines && header.origin?.format == ReduxLines.name
    if !areFoundAgain { add(.effectEvents, "event", of: " of effects") }
    add(.reads, "read")
    add(.signposts, "signpost")
    if self[.standings] > 0 {
      words.append("how far to trust \(counted(self[.standings], "step")) of a fork")
    }
    if header.firstStep != 0 { words.append("the numbers of the steps, which begin with 0 there") }
    switch form {
    case .redux, .reduxLifted:
      add(.relabelled, "label")
      if self[.untyped] > 0 {
        words.append(
          "the form of \(counted(self[.untyped], "action")) without a type, now "
            + "{\"type\": LABEL, \"payload\": ACTION}")
      }
    case .jsonLines:
      if header.origin?.position != nil { words.append("the position") }
      if header.started != nil, clockStart(header) == nil { words.append("the date of the start") }
    }
    return words
  }
}

/// A new text file, part of which may be inside a JSON string.
final class ExportFile {
  private var file: NewFile
  private var isQuoted = false
  private(set) var rounded: Number?

  init(path: String, replacing: Bool) throws {
    file = try NewFile(path: path, taken: replacing ? .isReplaced() : .isRefused)
  }

  func write(_ text: String) throws {
    guard isQuoted else { return try file.append(text.utf8) }
    try file.append(Value.string(text).bytes().dropFirst().dropLast())
  }

  /// Writes for JavaScript, whose numbers are doubles.
  func write(javaScript value: Value) throws {
    rounded = rounded ?? value.roundedByDoubles
    try write(value.text())
  }

  func quoted(_ body: () throws -> Void) throws {
    try write("\"")
    isQuoted = true
    try body()
    isQuoted = false
    try write("\"")
  }

  func commit() throws { try file.commit() }
}

extension Value {
  fileprivate var roundedByDoubles: Number? {
    switch self {
    case .number(let number): number.isADouble ? nil : number
    case .array(let array): array.lazy.compactMap(\.roundedByDoubles).first
    case .object(let object): object.lazy.compactMap(\.value.roundedByDoubles).first
    default: nil
    }
  }
}

extension Number {
  fileprivate var isADouble: Bool {
    switch self {
    case .double: true
    case .integer(let value) where value.magnitude <= 1 << 53: true
    default: doubleValue.isFinite && Number(doubleValue) == self
    }
  }
}

extension SessionHeader {
  var startInMilliseconds: Int? { started.flatMap { UTCText.milliseconds(of: $0) }.map { Int($0) } }
}
