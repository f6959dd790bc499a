import SessionWords
import ValueTree

package enum StepFinder: Sendable, Hashable {
  case label(String)
  case effect(EffectID)
  case user
  case change(ValuePath)
  case state

  package var words: String {
    switch self {
    case .label(let label): "step “\(label)”"
    case .effect: "step of this effect"
    case .user: "action of the user"
    case .state: "step with a state"
    case .change(let path): path.isRoot ? "change" : "change of \(path.text)"
    }
  }
}

extension OpenSession {
  package func nearest(
    _ finder: StepFinder, from position: Position, isForward: Bool
  ) async throws -> Int? {
    guard let steps = branch(position.branch)?.steps else { return nil }
    var here = position
    // Backward, compare the value with the step before.
    while !Task.isCancelled {
      here.step += isForward ? 1 : -1
      guard steps.contains(here.step) else { return nil }
      if try await accepts(finder, here, first: steps.lowerBound) { return here.step }
      if here.step % 64 == 0 { await Task.yield() }
    }
    return nil
  }

  private func accepts(
    _ finder: StepFinder, _ position: Position, first: Int
  ) async throws -> Bool {
    switch finder {
    case .label(let label): return try step(at: position).step.label == label
    case .effect(let effect): return try step(at: position).step.cause == .effect(effect)
    case .user: return try step(at: position).step.cause.isFromOutside
    case .state: return try await state(at: position) != nil
    case .change(let path):
      guard position.step > first else { return true }
      let before = Position(branch: position.branch, step: position.step - 1)
      let old = try await state(at: before).flatMap(path.value(in:))
      let new = try await state(at: position).flatMap(path.value(in:))
      return old != new
    }
  }
}
