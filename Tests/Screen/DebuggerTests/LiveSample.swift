import Essentials
import Platform
import Recorder
import Samples
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import ValueTree

/// An action of the user at a time.
struct LiveMove<Action: Sendable>: Sendable {
  var time: Duration
  var action: Action
}

extension Sample {
  typealias Moves = [LiveMove<App.Action>]

  /// Random taps of a user: the demo's actions in another order.
  static func randomMoves(_ random: inout SeededGenerator) -> [DemoMove<App.Action>] {
    let actions = demo().map(\.action)
    return (0..<Int.random(in: 8...24, using: &random)).map { _ in
      DemoMove(
        after: .microseconds(Int.random(in: 1_000...1_500_000, using: &random)),
        actions[Int.random(in: 0..<actions.count, using: &random)])
    }
  }

  static func timed(_ moves: [DemoMove<App.Action>]) -> Moves {
    var time = Duration.zero
    return moves.map { move in
      time += move.pause
      return LiveMove(time: time, action: move.action)
    }
  }

  /// The app itself, with services that answer one question always in one way: ids hang on their
  /// place in the answer, and random numbers on the time.
  static func live(_ moves: Moves, until end: Duration, to path: String) async {
    let clock = TestClock()
    let start = clock.now
    var options = RecordingOptions(app: .init(title))
    options.backPressure = .wait(beyond: 1_000)
    options.started = "2026-01-05T09:30:00.000Z"
    options.clock = { start.duration(to: clock.now) }
    let recording = StoreRecorder<App.State, App.Action>(to: path, options: options)
    let drawn = Locked<(time: Duration, count: UInt64)>((.zero, 0))
    let draw = { @Sendable () -> (time: Duration, count: UInt64) in
      let time = start.duration(to: clock.now)
      return drawn.withLock { drawn in
        drawn = (time, drawn.time == time ? drawn.count + 1 : 1)
        return drawn
      }
    }
    let store = Store(initialState: initialState(), hooks: recording) {
      app()
    } withDependencies: {
      $0.continuousClock = clock
      $0.effectExecutor = SerialEffectExecutor()
      $0.withRandomNumberGenerator = .init(DrawnNumbers(draw: draw))
      $0.uuid = UUIDGenerator { UUID(draw().count) }
      putDependenciesOnTape(&$0, recording.tape)
    }
    for move in moves {
      await clock.advance(to: .init(offset: move.time))
      store.send(move.action)
    }
    await clock.advance(to: .init(offset: end))
    recording.finish()
  }

  /// The user's moves in a fork of this line; nil if a user cannot do what the edit says.
  static func moves(_ moves: Moves, _ script: Script, in line: [Step]) throws -> Moves? {
    var moves = moves
    let taps = line.filter { $0.cause == .user }
    guard taps.count == moves.count else { return nil }
    switch script.edits.first {
    case .skip(let step)?:
      guard let index = taps.firstIndex(where: { $0.number == step }) else { return nil }
      moves.remove(at: index)
    case .replace(let step, let action)?:
      guard let index = taps.firstIndex(where: { $0.number == step }) else { return nil }
      moves[index].action = try ValueDecoder().decode(App.Action.self, from: action)
    case .insert(let step, let action)?:
      guard let index = line.firstIndex(where: { $0.number == step }), let time = line[index].time
      else { return nil }
      // Live, what an effect sends at once comes first.
      if case .effect? = line.dropFirst(index + 1).first(where: { $0.time == time })?.cause {
        return nil
      }
      let move = LiveMove(
        time: time, action: try ValueDecoder().decode(App.Action.self, from: action))
      moves.insert(move, at: taps.firstIndex { $0.number > step } ?? taps.count)
    default: return nil
    }
    return moves
  }
}

private struct DrawnNumbers: RandomNumberGenerator, Sendable {
  let draw: @Sendable () -> (time: Duration, count: UInt64)

  mutating func next() -> UInt64 {
    let (time, count) = draw()
    return (UInt64(time / .microseconds(1)) << 8 | count) &* 0x9E37_79B9_7F4A_7C15
  }
}
