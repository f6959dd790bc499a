import Platform
import StoreCore

/// Writes down what a store tells its hooks.
final class HookLog: StoreHooks {
  typealias State = [String]
  typealias Action = String

  private let text = Locked<[String]>([])

  var lines: [String] { text.withLock { $0 } }

  private func write(_ line: String) { text.withLock { $0.append(line) } }

  func aroundReduce(
    _ action: String, in step: StoreStep, before: [String], reduce: () -> [String]
  ) {
    let after = reduce()
    write("step \(step.number) \(action) \(step.cause): \(before.count) to \(after.count)")
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await body()
  }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    write("effect \(effect.number) of \(effect.step)#\(effect.ordinal) \(change)")
  }
}
