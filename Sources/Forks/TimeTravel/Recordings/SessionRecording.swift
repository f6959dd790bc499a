import Platform
import SessionFile
import SessionImports
import SessionWords
import ValueTree

/// A session file as a recording.
///
/// Effects are scattered in the file, so `findEffects` reads their lines from start to end; those
/// passed are known.
package final class SessionRecording: WalkedRecording {
  private let held: Locked<Held>
  private var reader: SessionReader { held.withLock { $0.reader } }
  private let effects = Locked(EffectTable())
  /// Of the effects that were asked about last, while the file has this many steps.
  private let effectReads = Locked<(steps: Int, [EffectID: [OutsideRead]])>((0, [:]))
  /// The last step whose events were read; it may have more since.
  private let lastRead = Locked<Int?>(nil)
  private let told: Locked<[Notice]>
  /// The size of another tool's file that is not followed.
  private let convertedSize: off_t?
  private let name: String
  private let path: String
  private let hasTimes: Bool
  private let hasTypesKnown = Locked<Bool?>(nil)

  private struct Held {
    var reader: SessionReader
    var recorded: SessionReader?
    var remarks: [String]
    /// Whether the recording has no state but the first.
    var lacksAll = false
    /// Whether the file of another tool has changed, and is not followed.
    var isOutdated = false

    init(_ reader: SessionReader, _ recorded: SessionReader?, _ remarks: [String]) {
      (self.reader, self.recorded, self.remarks) = (reader, recorded, remarks)
      if let recorded { lacksAll = (try? recorded.count(ofStatesUpTo: 1)) == 0 }
    }
  }

  /// A host may have computed states that `recorded` lacks. `path` is what the user gave, if the
  /// reader reads a copy.
  package init(
    _ reader: SessionReader, recorded: SessionReader? = nil, remarks: [String] = [],
    path: String? = nil
  ) {
    held = Locked(Held(reader, recorded, remarks))
    told = Locked(reader.notices)
    name = reader.path.split(separator: "/").last.map(String.init) ?? reader.path
    self.path = path ?? reader.path
    convertedSize =
      reader.header.origin.map { $0.isForeign && !$0.isLive } == true && !reader.isFollowed
      ? Self.size(of: reader.path) : nil
    // Unreadable steps have no time, nor has the first one.
    let last = try? reader.step(reader.steps.upperBound)
    hasTimes =
      last.map { $0.time != nil || $0.damage != nil || $0.number == reader.steps.lowerBound }
      ?? true
    effects.withLock { table in
      for effect in reader.header.effects {
        table.add(EffectSpan(number: effect.effect, origin: effect.origin, started: effect.time))
      }
    }
  }

  /// Continues with another file of the same steps, after recomputing the states.
  package func useReader(
    _ reader: SessionReader, recorded: SessionReader?, remarks: [String]
  ) {
    var new = Held(reader, recorded, remarks)
    held.withLock {
      new.isOutdated = $0.isOutdated
      $0 = new
    }
  }

  package var summary: RecordingSummary {
    var summary = RecordingSummary(
      name: name, app: reader.header.app?.name, steps: reader.steps,
      position: reader.header.origin?.position, notices: reader.notices.map(\.sentence),
      isFinished: reader.isFinished)
    if case .browse = reader.header.capability { summary.canReplay = false }
    summary.isRedacted = !reader.header.redacted.isEmpty
    summary.knowsCauses = reader.header.knowsCauses
    summary.hasTimes = hasTimes
    summary.wasBranch = (try? reader.wasBranch()) ?? false
    summary.path = path
    summary.isMoved = reader.notices.contains { $0.finding == .movedAway }
    summary.isOutdated = held.withLock { $0.isOutdated }
    summary.isForeign = reader.header.origin?.isForeign == true
    summary.beginsWithAction = reader.isReadInPlace && reader.header.state == nil
    summary.isOfJavaScript = reader.header.origin?.isOfJavaScript == true
    summary.hasTypes = hasTypes
    if let caveat = reader.header.origin?.caveat { summary.notices.append(caveat) }
    summary.statesBy = reader.header.origin?.statesBy
    if let host = summary.statesBy {
      summary.notices.append(
        held.withLock { $0.lacksAll }
          ? "the file holds no states: \(host) computed them from the actions"
          : "\(host) computed the states that the recording lacks")
    }
    summary.notices += held.withLock { $0.remarks }
    return summary
  }

  /// Reads the first action once: each change of a file asks.
  private var hasTypes: Bool {
    guard reader.header.origin?.format == "JSON Lines", reader.steps.count > 1 else { return false }
    return hasTypesKnown.withLock { known in
      let first = reader.steps.lowerBound + 1
      let found = known ?? ((try? reader.step(first))?.action["type"]?.string != nil)
      known = found
      return found
    }
  }

  package var isScanned: Bool { reader.isScanned }

  package func step(_ number: Int) throws -> Step { try reader.step(number) }

  package func assumptions() throws -> AssumptionIndex { try reader.assumptions() }

  package func state(after number: Int) throws -> Value? {
    do throws(SessionError) {
      return try reader.state(after: number)
    } catch {
      if case .stateNotStored = error.problem { return nil }
      throw error
    }
  }

  package func keyframe(from number: Int) -> Int? { reader.keyframe(from: number) }

  package func isComputed(stateAfter number: Int) -> Bool {
    guard reader.header.origin?.statesBy != nil else { return false }
    let recorded = held.withLock { $0.recorded }
    return recorded.map { (try? $0.state(after: number)) == nil } ?? true
  }

  package func walk(_ places: [Pointer]?, from step: Int) -> StepWalk {
    reader.walk(places, from: step)
  }

  package func steps(
    holding text: TextNeedle, in steps: ClosedRange<Int>, limit: Int
  ) throws -> [Int] {
    try reader.steps(holding: text, in: steps, limit: limit)
  }

  package func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan] {
    effects.withLock { $0.spans(in: steps) }
  }

  package func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan] {
    let last = reader.steps.upperBound
    return effects.withLock { $0.spans }.longest(count, in: steps, lastStep: last)
  }

  package func findEffects() async throws {
    let steps = reader.steps
    let start = lastRead.withLock { $0 } ?? steps.lowerBound
    for first in stride(from: start, through: steps.upperBound, by: Self.chunk) {
      if Task.isCancelled { return }
      let last = min(first + Self.chunk - 1, steps.upperBound)
      let events = try reader.effectEvents(in: first...last)
      // Known events are not added twice.
      effects.withLock { table in
        for event in events { table.add(event) }
      }
      guard effects.withLock({ $0.spans.count }) <= Self.mostEffects else {
        throw Trouble(
          "it has more than \(grouped(Self.mostEffects)) effects", place: name,
          next: "Keep fewer steps with retcon trim")
      }
      lastRead.withLock { $0 = max($0 ?? last, last) }
      await Task.yield()
    }
  }

  private static let chunk = 2_048
  /// So many take 300 MB.
  private static let mostEffects = 1_000_000

  package func header() throws -> SessionHeader {
    var header = reader.header
    header.part = 1
    header.tape = reader.tape
    return header
  }

  package func events(after step: Int) throws -> [EffectEvent] {
    try reader.effectEvents(in: step...step)
  }

  package func patch(at step: Int) throws -> Value? { try reader.patch(at: step) }

  package func writtenSteps(_ numbers: ClosedRange<Int>) throws -> [WrittenStep] {
    try reader.writtenSteps(numbers)
  }

  package func outsideReads() throws -> [OutsideRead] { try reader.outsideReads(in: reader.steps) }

  package func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction
  ) throws -> SessionTrimmer.Written {
    var trimmer = SessionTrimmer(reader)
    trimmer.redaction = redaction
    return try trimmer.trim(steps, to: path)
  }

  func checkIsAnother(_ path: String) throws { try reader.checkIsAnother(path) }

  package func reads(ofEffect effect: EffectID) throws -> [OutsideRead] {
    guard let span = effects.withLock({ $0[effect] }) else { return [] }
    let count = reader.steps.count
    let known = effectReads.withLock { $0.steps == count ? $0.1[effect] : nil }
    if let known, span.end != nil { return known }
    // An endless effect may read anywhere; a part of its life suffices.
    let last = min(
      span.end?.step ?? reader.steps.upperBound, span.origin.step + Self.chunk)
    let steps = max(span.origin.step, reader.steps.lowerBound)...max(last, span.origin.step)
    let reads = try reader.outsideReads(in: steps).filter { $0.effect == effect }
    effectReads.withLock {
      if $0.steps != count || $0.1.count >= 64 { $0 = (count, [:]) }
      $0.1[effect] = reads
    }
    return reads
  }

  private static func size(of path: String) -> off_t? {
    fileStatus(of: path, following: true)?.st_size
  }

  private func changeOfConverted() -> RecordingChange? {
    guard let old = convertedSize, let now = Self.size(of: reader.path), now != old else {
      return nil
    }
    let sentence =
      "\(name) has changed since it was opened, and Retcon does not follow it: "
      + "open it again to see the new steps."
    let isNews = held.withLock { held in
      guard !held.isOutdated else { return false }
      held.isOutdated = true
      held.remarks.append(sentence)
      return true
    }
    guard isNews else { return nil }
    return RecordingChange(change: .notices, summary: summary, remark: sentence)
  }

  package func refresh() throws -> RecordingChange? {
    if let news = changeOfConverted() { return news }
    let before = Set(reader.notices)
    let growth = try reader.refresh()
    let after = reader.notices
    // Reading a damaged line adds a notice, which that reader reports.
    let known = told.withLock { exchange(&$0, with: after) }
    guard growth != .none || known != after else { return nil }
    let remark = after.first { !before.contains($0) && !$0.mayPassWithGrowth }?.sentence
    return switch growth {
    case .none:
      RecordingChange(
        change: .notices, summary: summary,
        remark: after.first { !before.contains($0) && $0.finding == .movedAway }?.sentence)
    case .steps, .lines: RecordingChange(change: .grew, summary: summary, remark: remark)
    case .truncated, .replaced:
      // A reader may have noticed the loss before.
      RecordingChange(
        change: .ended, summary: summary,
        remark: remark ?? after.last { !known.contains($0) }?.sentence)
    }
  }
}

extension Notice {
  /// Whether the recorder is probably about to write the missing part.
  fileprivate var mayPassWithGrowth: Bool {
    switch finding {
    case .tornTail, .zeroBytes, .unfinishedStep: true
    default: false
    }
  }
}
