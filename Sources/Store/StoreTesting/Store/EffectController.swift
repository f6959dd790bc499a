import Platform
import StoreCore

/// The way a test store runs effects.
public enum TestEffects: Sendable {
  case running
  /// Without their bodies: they start, end and chain as in the app, but the test sends their
  /// actions: ``TestStore/receive(_:from:fileID:filePath:line:_:)``.
  case byHand
}

private enum TestEffectsKey: DependencyKey {
  static let liveValue = TestEffects.running
  static let testValue = TestEffects.running
}

extension DependencyValues {
  /// The way this test store runs effects.
  public var effects: TestEffects {
    get { self[TestEffectsKey.self] }
    set { self[TestEffectsKey.self] = newValue }
  }
}

/// An effect in flight, by its name, or its file if it has none.
///
/// ```swift
/// await store.receive(.found(["Bern"]), from: "search")
/// await store.receive(.found(["Bern"]), from: .last("search"))  // and then it ends
/// ```
public struct EffectSource: Sendable, ExpressibleByStringLiteral {
  var name: String
  var index: Int
  var ends = false

  /// Creates a source; `index` distinguishes effects of one name by start.
  public init(_ name: String, index: Int = 0) {
    self.name = name
    self.index = index
  }

  /// Creates a source for the first effect of this name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The last action of an effect, which then ends.
  public static func last(_ name: String, index: Int = 0) -> EffectSource {
    var source = EffectSource(name, index: index)
    source.ends = true
    return source
  }

  func names(_ effect: StoreEffect) -> Bool {
    guard case .work = effect.kind else { return false }
    return effect.name == name
      || effect.name == nil && effect.fileID.split(separator: "/").last.map(String.init) == name
  }
}

extension TestStore {
  /// Sends an action from an effect, and expects its result. For effects ``TestEffects/byHand``;
  /// fails if the effect is not in flight.
  public nonisolated(nonsending) func receive(
    _ action: Action, from source: EffectSource,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async where Action: Equatable {
    let place = SourcePlace(fileID, filePath, line)
    guard let number = await effect(source, at: place) else { return }
    recorder.controller.send(number, .send(action))
    if source.ends { recorder.controller.send(number, .end) }
    await receive(action, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Ends an effect that is ``TestEffects/byHand``.
  public nonisolated(nonsending) func endEffect(
    _ source: EffectSource,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    guard let number = await effect(source, at: SourcePlace(fileID, filePath, line)) else { return }
    recorder.controller.send(number, .end)
    await settle()
  }

  /// Sends an action from an effect that is ``TestEffects/byHand`` if it is still in flight, as in
  /// the test of a rule: a mended reducer may have cancelled it. The index counts all effects of
  /// the name that were started.
  public nonisolated(nonsending) func send(
    _ action: Action, ifInFlight source: EffectSource
  ) async {
    guard let number = await inFlight(source) else { return }
    recorder.controller.send(number, .send(action))
    if source.ends { recorder.controller.send(number, .end) }
    await skipReceivedActions(strict: false)
  }

  /// Ends an effect that is ``TestEffects/byHand`` if it is still in flight. The index counts all
  /// effects of the name that were started.
  public nonisolated(nonsending) func endEffect(ifInFlight source: EffectSource) async {
    guard let number = await inFlight(source) else { return }
    recorder.controller.send(number, .end)
    await settle()
  }

  private nonisolated(nonsending) func inFlight(_ source: EffectSource) async -> Int? {
    await settle()
    return recorder.withTimeline { timeline in
      let named = timeline.started.filter(source.names)
      guard named.indices.contains(source.index) else { return nil }
      return timeline.inFlight[named[source.index].number]?.number
    }
  }

  private nonisolated(nonsending) func effect(
    _ source: EffectSource, at place: SourcePlace
  ) async -> Int? {
    await settle()
    let running = recorder.withTimeline { timeline in
      timeline.statement = place
      return timeline.running
    }
    let named = running.filter { source.names($0) }
    if named.indices.contains(source.index) { return named[source.index].number }
    let others = TestStoreText.list(running)
    recorder.report(
      "No effect “\(source.name)” is in flight"
        + (named.isEmpty ? "." : " with the index \(source.index).")
        + (others.isEmpty ? " None is." : " These are:\n\n" + others), at: place)
    return nil
  }
}

final class EffectController<Action: Sendable>: Sendable {
  enum Word: Sendable {
    case send(Action)
    case end
  }

  private typealias Line = (
    words: AsyncStream<Word>, speaker: AsyncStream<Word>.Continuation
  )

  private let lines = Locked<[Int: Line]>([:])

  /// The same effects with bodies that wait for the test. Those that only wait for a clock still
  /// do.
  func taking(_ effect: Effect<Action>) -> Effect<Action> {
    Effect(
      operation: effect.operation.mapRuns(
        { run in
          guard case .work = run.site.kind else { return run }
          var run = run
          run.handler = nil
          run.body = { [self] send in
            guard let number = ControlledEffect.number else { return }
            for await word in line(number).words {
              switch word {
              case .send(let action): await send(action)
              case .end: return
              }
            }
          }
          return run
        }, send: { $0 }))
  }

  func running(_ effect: StoreEffect, _ body: @Sendable () async -> Void) async {
    await ControlledEffect.$number.withValue(effect.number) { await body() }
    lines.withLock { $0[effect.number] = nil }
  }

  func send(_ effect: Int, _ word: Word) { line(effect).speaker.yield(word) }

  private func line(_ effect: Int) -> Line {
    lines.withLock { lines in
      if let known = lines[effect] { return known }
      let line = AsyncStream.makeStream(of: Word.self)
      lines[effect] = (line.stream, line.continuation)
      return (line.stream, line.continuation)
    }
  }
}

private enum ControlledEffect {
  @TaskLocal static var number: Int?
}
