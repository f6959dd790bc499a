/// An effect of a store, from its start until nobody can send from it any more.
///
/// `@unchecked Sendable`: everything that changes is only touched inside the turn of its store.
final class EffectToken: @unchecked Sendable {
  enum Standing {
    case waiting
    case running
    case ended
    case cancelled
  }

  let effect: StoreEffect
  let group: EffectGroup?
  var standing = Standing.waiting
  var task: Task<Void, Never>?
  /// Set where a test may ask what it waits for.
  let watch: EffectWatch?
  /// How much of what it sent waits in the turn it was sent in.
  var unsentCount = 0
  /// How it ended, while something it sent waits.
  var outcome: EffectOutcome?

  init(effect: StoreEffect, group: EffectGroup?, watch: EffectWatch?) {
    self.effect = effect
    self.group = group
    self.watch = watch
  }
}

/// How the body of an effect came to its end.
enum EffectOutcome: Sendable {
  case finished
  case failed(any Error)
  /// It ended itself with a `CancellationError`. Nobody cancelled it: what is chained to it goes on.
  case cancelled

  var change: StoreEffectChange {
    switch self {
    case .finished: .finished
    case .failed(let error): .failed(error)
    case .cancelled: .finished
    }
  }
}
