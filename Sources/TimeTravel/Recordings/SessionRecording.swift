import SessionLog
import ValueTree

/// A session file as a recording.
///
/// Effects lie scattered in the file: `findEffects` reads their lines from start to end, and what it
/// has passed is known.
public final class SessionRecording: Recording {
  private let reader: SessionReader
  private let effects = Locked(EffectTable())
  private let hasAllEffects = Locked(false)
  private let name: String

  public init(_ reader: SessionReader) {
    self.reader = reader
    name = reader.path.split(separator: "/").last.map(String.init) ?? reader.path
    effects.withLock { table in
      for effect in reader.header.effects {
        table.add(
          EffectEvent(
            effect: effect.effect, step: effect.origin.step, time: effect.time,
            kind: .started(effect.origin)))
      }
    }
  }

  public var summary: RecordingSummary {
    var summary = RecordingSummary(
      name: name, app: reader.header.app?.name, steps: reader.steps,
      position: reader.header.origin?.position, notices: reader.notices.map(\.sentence))
    if case .browse = reader.header.capability { summary.canReplay = false }
    return summary
  }

  public func step(_ number: Int) throws -> Step { try reader.step(number) }

  public func state(after number: Int) throws -> Value? {
    do throws(SessionError) {
      return try reader.state(after: number)
    } catch {
      if case .stateNotStored = error.problem { return nil }
      throw error
    }
  }

  public func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan] {
    effects.withLock { $0.spans(in: steps) }
  }

  public func longestEffects(_ count: Int) throws -> [EffectSpan] {
    let last = reader.steps.upperBound
    return effects.withLock { $0 }.longest(count, lastStep: last)
  }

  public func findEffects() async throws {
    if hasAllEffects.withLock({ $0 }) { return }
    let steps = reader.steps
    for start in stride(from: steps.lowerBound, through: steps.upperBound, by: Self.chunk) {
      if Task.isCancelled { return }
      let end = min(start + Self.chunk - 1, steps.upperBound)
      let events = try reader.effectEvents(in: start...end)
      effects.withLock { table in
        for event in events { table.add(event) }
      }
      await Task.yield()
    }
    hasAllEffects.withLock { $0 = true }
  }

  private static let chunk = 2_048

  public func trim(_ steps: ClosedRange<Int>, to path: String) throws {
    try SessionTrimmer(reader).trim(steps, to: path)
  }

  public func reads(ofEffect effect: Int) throws -> [Read] {
    guard let span = effects.withLock({ $0[effect] }) else { return [] }
    // An effect that never ends may have read anywhere; a part of its life is enough to look at.
    let last = min(
      span.end?.step ?? reader.steps.upperBound, span.origin.step + Self.chunk)
    let steps = max(span.origin.step, reader.steps.lowerBound)...max(last, span.origin.step)
    return try reader.outsideReads(in: steps).filter { $0.effect == effect }.map(\.read)
  }
}
