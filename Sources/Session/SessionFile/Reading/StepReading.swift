import Platform
import SessionWords
import ValueTree

extension SessionReader {
  /// Reads a step; if the file is damaged, its `damage` says so.
  public func step(_ number: Int) throws(SessionError) -> Step {
    let snapshot = snapshot
    try check(number, in: snapshot)
    if number == header.firstStep { return .first(number, time: header.firstTime) }
    let entry = snapshot.index.entry(of: number)
    if entry.isGap { return .damaged(number, Step.gap) }
    if entry.isAbsent { return .damaged(number, "the file has no line for this step") }
    switch try line(at: entry.offset, in: snapshot, withStates: false) {
    case .step(let line) where line.step.number == number: return told(line.step)
    case .begin(let step) where step.number == number:
      var step = step
      step.reads = try readsBegun(by: step, at: entry.offset, in: snapshot)
      step.damage = "the app stopped inside its reducer: the step began and never ended"
      step.isUnfinished = true
      return step
    case .some:
      update { $0.report(.badLine(reason: LineFault.twoNumbers.reason), at: entry.offset) }
    case nil: break
    }
    return .damaged(number, "the line of this step cannot be read")
  }

  /// A step of a line, with the facts that only the header has.
  func told(_ step: Step) -> Step {
    guard header.hasSetLabels else { return step }
    var step = step
    step.readSetFromLabel()
    return step
  }

  /// The recorded change of the state by a step, as RFC 6902 operations from the state before; nil
  /// if missing, or if it starts from an earlier state.
  public func patch(at number: Int) throws(SessionError) -> Value? {
    let snapshot = snapshot
    try check(number, in: snapshot)
    guard header.states == .everyStep, number > header.firstStep else { return nil }
    if let format = snapshot.format, !format.arePatches {
      guard let before = try storedState(after: number - 1),
        let after = try storedState(after: number)
      else { return nil }
      return Patch(from: before, to: after).value
    }
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

  func noticingShortened<Result>(
    _ read: () throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    do throws(SessionError) { return try read() } catch {
      if error.problem == .changed, snapshot.parts.parts[0].file.document == nil {
        update { $0.reportOnce(.truncated) }
      }
      throw error
    }
  }

  func line(
    at offset: Int, in snapshot: ReaderState, withStates: Bool = true,
    look: ([UInt8]) throws(SessionError) -> Void = { _ in }
  ) throws(SessionError) -> LogLine? {
    var bytes = try noticingShortened { () throws(SessionError) in
      try snapshot.parts.bytes(snapshot.range(ofLineAt: offset))
    }
    try look(bytes)
    if !withStates, let rest = snapshot.withoutStates(bytes) { bytes = rest }
    do throws(LineFault) {
      return try bytes.withUnsafeBufferPointer { (bytes) throws(LineFault) in
        try snapshot.logLine(bytes, at: offset)
      }
    } catch {
      // Only the whole line tells the column of its fault.
      guard withStates else { return try line(at: offset, in: snapshot) }
      update { $0.report(.badLine(reason: error.reason), at: offset) }
      return nil
    }
  }

  private func readsBegun(
    by step: Step, at offset: Int, in snapshot: ReaderState
  ) throws(SessionError) -> [Read] {
    // A step that began inside of it never ended either, so nothing behind that is of this one.
    let next = step.number + 1
    let end =
      next > snapshot.index.lastStep ? snapshot.parts.end : snapshot.index.entry(of: next).offset
    return try lines(of: .read, in: offset..<end, snapshot, most: Self.mostAtOnce) {
      if case .readBegun(let read, step.number) = $0 { read } else { nil }
    }
  }
}

extension Step {
  /// A session's first step: it has a state and no action.
  public static func first(_ number: Int, time: Duration? = nil) -> Step {
    Step(number: number, time: time, label: "init", action: .null)
  }

  /// Only the line behind shows such a step, by the state before its action.
  package static let gap = "the log does not hold what changed the state here"

  package static func damaged(_ number: Int, _ reason: String) -> Step {
    Step(number: number, label: "?", action: .null, damage: reason)
  }
}

/// The steps of consecutive lines: a line's own number may have been rejected by the index.
struct StepCursor {
  private let index: LineIndex
  private var position: Int
  /// Whether the last found line was a keyframe.
  private(set) var isKeyframe = false

  init(_ index: LineIndex, from offset: Int) {
    self.index = index
    position = index.steps.firstIndex(notBelow: UInt64(offset) << 3)
  }

  /// The step of the line at an offset; offsets must ascend.
  mutating func step(at offset: Int) -> Int? {
    while position < index.steps.count {
      let entry = StepEntry(bits: index.steps[position])
      if entry.offset > offset { return nil }
      if entry.offset == offset, !entry.isAbsent {
        isKeyframe = entry.isKeyframe
        return entry.isBegun ? nil : index.firstStep + position
      }
      position += 1
    }
    return nil
  }
}

extension SessionReader {
  /// The events of effects, from the first of these steps until after the last.
  public func effectEvents(in steps: ClosedRange<Int>) throws(SessionError) -> [EffectEvent] {
    try lines(of: .effect, in: steps) { if case .effect(let event) = $0 { event } else { nil } }
  }

  /// The reads inside effects, and those without an owner, in these steps.
  public func outsideReads(in steps: ClosedRange<Int>) throws(SessionError) -> [OutsideRead] {
    try lines(of: .read, in: steps) { if case .read(let read) = $0 { read } else { nil } }
  }

  /// Visits those reads one by one, because all together may not fit into memory.
  package func visitReads(
    in steps: ClosedRange<Int>, _ visit: (OutsideRead) -> Void
  ) throws(SessionError) {
    _ = try lines(of: .read, in: steps, most: .max) {
      if case .read(let read) = $0 { visit(read) }
      return Void?.none
    }
  }

  /// The keys of reads without an owner, at most 1,000. All those reads together may not fit into memory.
  package func keysOfUnownedReads() throws(SessionError) -> Set<String> {
    var keys: Set<String> = []
    try visitReads(in: steps) { read in
      if read.effect == nil, keys.count < 1_000 { keys.insert(read.read.key) }
    }
    return keys
  }

  /// The app's notes in these steps.
  public func signposts(in steps: ClosedRange<Int>) throws(SessionError) -> [Signpost] {
    try lines(of: .signpost, in: steps) {
      if case .signpost(let signpost) = $0 { signpost } else { nil }
    }
  }

  /// How many ``effectEvents(in:)``, ``outsideReads(in:)`` and ``signposts(in:)`` there are.
  package func counts(
    in steps: ClosedRange<Int>
  ) throws(SessionError) -> (events: Int, reads: Int, signposts: Int) {
    func count(
      _ kind: LineKind, _ isMeant: (LogLine) -> Bool
    ) throws(SessionError) -> Int {
      try lines(of: kind, in: steps, most: .max) { isMeant($0) ? () : nil }.count
    }
    return (
      try count(.effect) { if case .effect = $0 { true } else { false } },
      try count(.read) { if case .read = $0 { true } else { false } },
      try count(.signpost) { if case .signpost = $0 { true } else { false } }
    )
  }

  /// The effects in flight after a step, by number.
  public func effectsInFlight(after step: Int) throws(SessionError) -> [EffectInFlight] {
    let snapshot = snapshot
    let step = min(max(step, header.firstStep), snapshot.index.lastStep)
    let end = snapshot.index.others(from: 0, to: snapshot.endOfLines(of: step)).upperBound
    var place = snapshot.flights.place(before: end)
    while place.position < end {
      let entry = OtherEntry(bits: snapshot.index.others[place.position])
      if entry.kind == .effect, case .effect(let event)? = try line(at: entry.offset, in: snapshot)
      {
        if case .started = event.kind {
          place.running[event.effect] = entry.offset
        } else {
          place.running[event.effect] = nil
        }
      }
      place.position += 1
      if place.position.isMultiple(of: 64), Interruption.isAsked {
        throw SessionError(.interrupted, path: path)
      }
      if place.position.isMultiple(of: snapshot.flights.distance) {
        update { $0.flights.keep(place) }
      }
    }
    return try place.running
      .map { (effect, start) throws(SessionError) in try flight(effect, from: start, in: snapshot) }
      .compactMap(\.self)
      .sorted { $0.effect < $1.effect }
  }

  private func flight(
    _ effect: EffectID, from start: Int?, in snapshot: ReaderState
  ) throws(SessionError) -> EffectInFlight? {
    guard let start else { return header.effects.last { $0.effect == effect } }
    guard case .effect(let event)? = try line(at: start, in: snapshot),
      case .started(let origin) = event.kind
    else { return nil }
    var flight = EffectInFlight(effect: effect, origin: origin, time: event.time)
    let bytes = try snapshot.parts.bytes(snapshot.range(ofLineAt: start))
    let value = bytes.withUnsafeBufferPointer { try? Value(line: $0) }
    if let value { flight.unknown = EffectInFlight.unknown(inLine: value) }
    return flight
  }

  /// The most memory for the lines of one call.
  private static let mostAtOnce = 384 << 20

  func lines<Told>(
    of kind: LineKind, in steps: ClosedRange<Int>, most: Int = mostAtOnce,
    _ take: (LogLine) -> Told?
  ) throws(SessionError) -> [Told] {
    let snapshot = snapshot
    let steps = steps.clamped(to: snapshot.index.stepRange)
    return try lines(of: kind, in: snapshot.range(of: steps), snapshot, most: most, take)
  }

  private func lines<Told>(
    of kind: LineKind, in bytes: Range<Int>, _ snapshot: ReaderState, most: Int,
    _ take: (LogLine) -> Told?
  ) throws(SessionError) -> [Told] {
    var found: [Told] = []
    var size = 0
    for index in snapshot.index.others(from: bytes.lowerBound, to: bytes.upperBound) {
      let entry = OtherEntry(bits: snapshot.index.others[index])
      if (index + 1).isMultiple(of: 64) {
        if Interruption.isAsked { throw SessionError(.interrupted, path: path) }
        ReadingPlace.record(entry.offset, of: snapshot.parts.end)
      }
      guard entry.kind == kind else { continue }
      let line = try line(at: entry.offset, in: snapshot) { (bytes) throws(SessionError) in
        let values = bytes.reduce(0) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
        size += MemoryLayout<Told>.stride + bytes.count + MemoryLayout<Value>.stride * values
        guard size <= most else {
          throw SessionError(.tooManyLines("\(kind)s", megabytes: most >> 20), path: path)
        }
      }
      if let line, let told = take(line) { found.append(told) }
    }
    return found
  }
}
