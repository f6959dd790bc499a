import Platform
import StoreCore

/// Writes down which effects a store of any state started and how they ended.
final class ChangeLog<State: Sendable, Action: Sendable>: StoreHooks {
  private let text = Locked<[String]>([])

  var lines: [String] { text.withLock { $0 } }

  func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    _ = reduce()
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await body()
  }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    if case .emitted = change { return }
    text.withLock { $0.append("\(effect.number) \(change)") }
  }
}
