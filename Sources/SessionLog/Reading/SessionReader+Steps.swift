import ValueTree

extension SessionReader {
  /// A step; where the file is damaged one whose ``Step/damage`` says so.
  public func step(_ number: Int) throws(SessionError) -> Step {
    let snapshot = snapshot
    try check(number, in: snapshot)
    if number == header.firstStep { return .first(number, time: header.firstTime) }
    let entry = snapshot.index.entry(of: number)
    if entry.isAbsent { return .damaged(number, "the file has no line for this step") }
    switch try line(at: entry.offset, in: snapshot) {
    case .step(let line) where line.step.number == number: return line.step
    case .begin(let step) where step.number == number:
      var step = step
      step.reads = try readsBegun(by: step, at: entry.offset, in: snapshot)
      step.damage = "the app stopped inside its reducer: the step began and never ended"
      step.isUnfinished = true
      return step
    case .some: update { $0.note(.badLine(reason: LineFault.twoNumbers.reason), at: entry.offset) }
    case nil: break
    }
    return .damaged(number, "the line of this step cannot be read")
  }

  /// The recorded change of the state by a step, as RFC 6902 operations from the state before; nil
  /// where none is in the file, or where it leads from an earlier state than that of the step before.
  public func patch(at number: Int) throws(SessionError) -> Value? {
    let snapshot = snapshot
    try check(number, in: snapshot)
    guard header.states == .everyStep, number > header.firstStep else { return nil }
    let entry = snapshot.index.entry(of: number)
    guard !entry.isAbsent, case .step(let line) = try line(at: entry.offset, in: snapshot),
      !line.isStateDropped, let patch = line.patch
    else { return nil }
    guard number - 1 > header.firstStep else { return patch }
    let before = snapshot.index.entry(of: number - 1)
    guard !before.isAbsent,
      case .step(let previous) = try self.line(at: before.offset, in: snapshot),
      previous.patch != nil || previous.state != nil
    else { return nil }
    return patch
  }

  /// A line, or nil when it cannot be read; then there is a notice.
  func line(at offset: Int, in snapshot: ReaderState) throws(SessionError) -> LogLine? {
    let bytes: [UInt8]
    do throws(SessionError) {
      bytes = try snapshot.parts.bytes(snapshot.range(ofLineAt: offset))
    } catch {
      if error.problem == .changed { update { $0.noteShortened() } }
      throw error
    }
    do throws(LineFault) {
      return try LogLine(parsing: bytes)
    } catch {
      update { $0.note(.badLine(reason: error.reason), at: offset) }
      return nil
    }
  }

  /// What a step had read when the app stopped inside it.
  private func readsBegun(
    by step: Step, at offset: Int, in snapshot: ReaderState
  ) throws(SessionError) -> [Read] {
    var reads: [Read] = []
    for index in snapshot.index.others(from: offset, to: snapshot.parts.end) {
      let entry = OtherEntry(bits: snapshot.index.others[index])
      guard entry.kind == .read,
        case .readBegun(let read, step.number)? = try line(at: entry.offset, in: snapshot)
      else { continue }
      reads.append(read)
    }
    return reads
  }
}

extension Step {
  /// The step that a session starts with: it has a state and no action.
  public static func first(_ number: Int, time: Duration? = nil) -> Step {
    Step(number: number, time: time, label: "init", action: .null)
  }

  static func damaged(_ number: Int, _ reason: String) -> Step {
    Step(number: number, label: "?", action: .null, damage: reason)
  }
}

extension ReaderState {
  /// The file is shorter than it was.
  mutating func noteShortened() {
    guard !notices.contains(where: { $0.finding == .truncated }) else { return }
    notices.append(Notice(.truncated, line: index.lineCount))
  }
}
