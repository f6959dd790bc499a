import Platform
import SessionWords
import ValueTree

extension ReaderState {
  /// A line in the words of a session.
  func logLine(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) throws(LineFault) -> LogLine {
    guard let format else { return try LogLine(value: Value(line: bytes)) }
    let number = index.lastStep(at: offset)
    switch try format.record(of: bytes) {
    case .step(var step, _, let after):
      step.number = number
      step.time = time(told: step.time)
      let patch: Value? = format.arePatches ? [step.action] : nil
      return .step(StepLine(step, patch: patch, state: after))
    case .state: return .unknown(key: "state")
    case .note(let text, let value):
      return .signpost(Signpost(text, step: number, value: value))
    case .effect(let event): return .effect(event)
    }
  }

  /// A line without the states in it, which take time; nil if only the parser can tell.
  func withoutStates(_ line: [UInt8]) -> [UInt8]? {
    line.withUnsafeBufferPointer { line in
      let members = format.map { $0.members(of: line, place: nil) } ?? StepMembers(line)
      guard line.isUTF8, let members else { return nil }
      var (rest, start): ([UInt8], Int) = ([], 0)
      let states = [members.before, members.state].compactMap(\.self)
      for state in states.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        rest += members.bytes[start..<state.lowerBound] + Array("null".utf8)
        start = state.upperBound
      }
      return rest + members.bytes[start...]
    }
  }

  func stepLine(
    _ bytes: UnsafeBufferPointer<UInt8>, of step: Int, at offset: Int
  ) throws(LineFault) -> StepLine {
    guard case .step(let line) = try logLine(bytes, at: offset) else {
      throw LineFault(reason: "it has no step number")
    }
    guard line.step.number == step else { throw .twoNumbers }
    return line
  }

  func time(told time: Duration?) -> Duration? {
    guard format?.hasClock == true else { return time }
    guard let time, let clockStart else { return nil }
    return max(.zero, time - clockStart)
  }

  /// The line with the state after a step, if it comes after the step's own line.
  func lateState(of step: Int) -> Int? {
    guard format != nil, !index.others.isEmpty else { return nil }
    let lines = index.others(from: index.entry(of: step).offset, to: endOfLines(of: step))
    return lines.last { OtherEntry(bits: index.others[$0]).kind == .step }.map {
      OtherEntry(bits: index.others[$0]).offset
    }
  }

  /// Whether a line that is not the step's own holds the state after it.
  func holdsStateElsewhere(_ step: Int) -> Bool {
    partStates[step] != nil || lateState(of: step) != nil
  }

  func record(
    at offset: Int, _ format: any LineFormat
  ) throws(SessionError) -> Result<LineRecord, LineFault> {
    let bytes = try parts.bytes(range(ofLineAt: offset))
    return Result { () throws(LineFault) in
      try bytes.withUnsafeBufferPointer { (bytes) throws(LineFault) in
        try format.record(of: bytes)
      }
    }
  }

  /// The steps in which a start is looked for: of clocks, and of states.
  private static var searchedSteps: Int { 1_000 }

  /// The header of a file without one, after finding its lines.
  mutating func header(of format: any LineFormat) throws(SessionError) -> SessionHeader {
    let name = parts.parts[0].file.name
    var header = SessionHeader(app: name.isEmpty ? nil : SessionHeader.App(name), states: .first)
    header.knowsCauses = false
    header.origin = SessionHeader.Origin(format: format.tool, file: name)
    if let late = lateState(of: 0), case .success(.state(let state)) = try record(at: late, format)
    {
      header.state = state
    }
    if index.steps.count == 1 { header.states = .everyStep }
    for number in index.stepRange.dropFirst().prefix(Self.searchedSteps) {
      guard
        case .success(.step(let step, let before, let after)) =
          try record(at: index.entry(of: number).offset, format)
      else { continue }
      if number == index.firstStep + 1 { header.state = before ?? header.state }
      if after != nil || format.arePatches || lateState(of: number) != nil {
        header.states = .everyStep
      }
      clockStart = step.time
      break
    }
    if format.hasClock {
      try findClockStart(format)
      // A clock that says less does not count from 1970.
      if let clockStart, clockStart > .seconds(1_000_000_000) {
        header.started = UTCText.of(milliseconds: Int64(clockStart / .milliseconds(1)))
      }
    }
    cache.withLock { $0 = StateCache(stateSize: scanned / index.steps.count) }
    if let document = parts.parts[0].file.document {
      do throws(LineFault) { try format.complete(&header, with: document.facts) } catch {
        throw SessionError(.system(error.reason), path: parts.parts[0].file.path)
      }
    }
    return header
  }

  mutating func findClockStart(_ format: any LineFormat) throws(SessionError) {
    for number in index.stepRange.dropFirst().prefix(Self.searchedSteps) where clockStart == nil {
      guard
        case .success(.step(let step, _, _)) =
          try record(at: index.entry(of: number).offset, format)
      else { continue }
      clockStart = step.time
    }
  }
}

extension SessionReader {
  /// Whether it is another tool's file, read where it is.
  package var isReadInPlace: Bool { snapshot.format != nil }

  /// Whether new lines of such a file are found. A document has none.
  package var isFollowed: Bool { isReadInPlace && snapshot.parts.parts[0].file.document == nil }

  func stateInPlace(
    after number: Int, _ format: any LineFormat, in snapshot: ReaderState
  ) throws(SessionError) -> Value {
    let entry = snapshot.index.entry(of: number)
    let late = snapshot.lateState(of: number)
    let offset = late ?? entry.offset
    guard number > header.firstStep || late != nil else {
      throw SessionError(.stateNotStored(step: number), path: path)
    }
    let record = try noticingShortened { () throws(SessionError) in
      try snapshot.record(at: offset, format)
    }
    switch record {
    case .success(.state(let state)): return state
    case .success(.step(let step, let before, let after)):
      if let state = entry.isGap ? before : after { return state }
      throw SessionError(
        step.damage.map { .stateLost(step: number, because: $0) } ?? .stateNotStored(step: number),
        path: path)
    case .success: throw SessionError(.stateNotStored(step: number), path: path)
    case .failure(let fault):
      update { $0.report(.badLine(reason: fault.reason), at: offset) }
      throw SessionError(
        .stateLost(
          step: number, because: "the line of step \(number) cannot be used (\(fault.reason))"),
        path: path)
    }
  }

  /// Nil if the file does not hold it.
  func storedState(after number: Int) throws(SessionError) -> Value? {
    do throws(SessionError) { return try state(after: number) } catch {
      switch error.problem {
      case .stateNotStored, .stateLost: return nil
      default: throw error
      }
    }
  }
}
