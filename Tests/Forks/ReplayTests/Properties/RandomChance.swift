import StoreCore
import ValueTree

@testable import Replay

extension RandomApps {
  /// Another app for each seed, which asks what the desk asks.
  static let chance = chance("chance")
  /// The same app, with pauses whose length depends on the state and the action.
  static let pauses = chance("pauses", Chance.State(hasOwnPauses: true))

  private static func chance(
    _ name: String, _ state: Chance.State = Chance.State()
  ) -> RandomApp<Chance.State, Chance.Action> {
    RandomApp(
      name: name, reducer: Chance(), state: state, isDrawn: { $0.program = $1 },
      action: { tap($0, &$1) },
      otherAnswer: { action, _ in other(action) },
      setting: { _, random in
        random.one(of: [
          (["numbers", "0"], .number(Number(Int.random(in: 0...5, using: &random)))),
          (["numbers", "1"], 1), (["log"], []), (["inner"], .null), (["children"], []),
        ])
      },
      services: { desk.services(&$0, $1) }, tapes: { desk.tapes(&$0, $1) },
      reply: { desk.reply($0, $1) })
  }

  @Sendable private static func tap(
    _ state: Chance.State, _ random: inout SeededRandomNumberGenerator
  ) -> Chance.Action {
    if let inner = state.inner, Int.random(in: 0..<3, using: &random) == 0 {
      let isOver = Int.random(in: 0..<6, using: &random) == 0
      return .inner(isOver ? .dismiss : .presented(tap(inner, &random)))
    }
    if let child = state.children.randomElement(using: &random), Bool.random(using: &random) {
      return .children(.element(id: child.id, action: tap(child, &random)))
    }
    let number = Int.random(in: 0..<4, using: &random)
    return .act(piece: Int.random(in: 0..<4, using: &random), number)
  }

  @Sendable private static func other(_ action: Chance.Action) -> Chance.Action? {
    switch action {
    case .act(let piece, let number): .act(piece: piece, number + 1)
    case .inner(.presented(let action)): other(action).map { .inner(.presented($0)) }
    case .children(.element(let id, let action)):
      other(action).map { .children(.element(id: id, action: $0)) }
    default: nil
    }
  }
}
