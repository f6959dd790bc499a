import SessionLog
import StoreCore
import Testing
import ValueTree

@testable import Replay

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An app that random sessions are made of. What its dependencies give is a function of the key and
/// the arguments, so that a changed run can be run live and asks the same questions.
struct RandomApp<State: Codable & Equatable & Sendable, Action: Codable & Sendable>:
  Sendable
{
  var reducer: any Reducer<State, Action>
  var state: State
  var action: @Sendable (inout SeededRandomNumberGenerator) -> Action
  var dependencies: @Sendable (inout DependencyValues) -> Void
  var tapes: @Sendable (inout DependencyValues, Tape) -> Void
}

/// How often a property is tried: the fixed seed 1 … count, or what the environment says.
enum RandomRuns {
  static var seeds: ClosedRange<UInt64> {
    1...(getenv("RETCON_LONG") == nil ? 300 : 10_000)
  }
}

/// Always the same number.
struct ConstantNumbers: RandomNumberGenerator, Sendable {
  func next() -> UInt64 { 0x1234_5678_9ABC_DEF0 }
}

/// What a random user does: actions, pauses, cancelled tasks.
func randomDoing<State, Action>(
  _ app: RandomApp<State, Action>, _ random: inout SeededRandomNumberGenerator
) -> [Doing<Action>] {
  var doing: [Doing<Action>] = []
  var sends = 0
  for _ in 0..<Int.random(in: 4...16, using: &random) {
    doing.append(.send(app.action(&random)))
    sends += 1
    if Int.random(in: 0..<3, using: &random) > 0 {
      doing.append(.wait(.milliseconds(Int.random(in: 1...900, using: &random))))
    }
    if Int.random(in: 0..<12, using: &random) == 0 {
      doing.append(.cancel(Int.random(in: 0..<sends, using: &random)))
    }
  }
  return doing
}

/// A change of what the user does, as a script and as the changed doings.
struct RandomEdit<Action: Codable & Sendable> {
  var edit: Edit
  var leavesAt: Int
  var doing: [Doing<Action>]
  var words: String

  /// `steps` are the recorded steps of the user's actions, in order.
  init(
    _ doing: [Doing<Action>], steps: [Int], action: Action,
    _ random: inout SeededRandomNumberGenerator
  ) throws {
    let index = Int.random(in: steps.indices, using: &random)
    let places = doing.indices.filter { if case .send = doing[$0] { true } else { false } }
    let place = places[index]
    var changed = doing
    let value = try ValueEncoder().encode(action)
    leavesAt = steps[index] - 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      edit = .skip(step: steps[index])
      // A task that was never made cannot be cancelled; the others keep their numbers.
      changed.remove(at: place)
      changed = changed.compactMap { doing in
        guard case .cancel(let task) = doing else { return doing }
        return task == index ? nil : .cancel(task > index ? task - 1 : task)
      }
    case 1:
      edit = .replace(step: steps[index], action: value)
      changed[place] = .send(action)
    default:
      edit = .insert(after: leavesAt, action: value)
      changed.insert(.send(action), at: place)
      changed = changed.map { doing in
        guard case .cancel(let task) = doing else { return doing }
        return .cancel(task >= index ? task + 1 : task)
      }
    }
    self.doing = changed
    words = "\(edit)"
  }
}
