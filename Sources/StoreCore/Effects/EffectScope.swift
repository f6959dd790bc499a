/// The children an effect was made in, and the ids that cancel it.
struct EffectScope: Sendable {
  var path: [EffectPathElement] = []
  var ids: [ScopedID] = []
}

/// A cancel id and the feature it belongs to.
struct ScopedID: Sendable {
  var path: [EffectPathElement]
  var id: AnyID
}

/// What an effect descends from.
package struct EffectStart: Sendable, Hashable {
  /// The step whose reducer returned the effect.
  package var step: Int
  /// The step of the user's action that all this began with.
  package var root: Int

  package init(step: Int, root: Int) {
    self.step = step
    self.root = root
  }
}
