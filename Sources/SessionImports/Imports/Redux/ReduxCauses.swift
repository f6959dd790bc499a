import SessionFile
import SessionWords
import ValueTree

/// Finds the senders of a Redux app's actions. Actions name the request of a thunk or of an RTK Query.
/// The trace tells sagas and epics.
package struct ReduxCauses {
  private var effects = 0
  private var pending: [String: EffectID] = [:]
  private static let tools = [
    ("redux-saga", "saga"), ("redux-observable", "epic"), ("listenerMiddleware", "listener"),
  ]

  package init() {}

  /// Whether the text of an action may tell of an effect. Most do not, which saves parsing them.
  static func mayTell(_ action: [UInt8]) -> Bool {
    action.withUnsafeBytes(signs.isFound)
  }

  private static let signs = (["requestId", "\\u"] + tools.map(\.0)).flatMap {
    ByteSearch.all(for: Array($0.utf8))
  }

  /// Gives the step its cause, and returns the events before and after it.
  package mutating func judge(_ step: inout Step) -> (before: [EffectEvent], after: [EffectEvent]) {
    if let request = step.action["meta"]?["requestId"]?.string,
      let dash = step.label.lastIndex(of: "/")
    {
      let status =
        step.action["meta"]?["requestStatus"]?.string
        ?? String(step.label[step.label.index(after: dash)...])
      switch status {
      case "pending" where pending[request] == nil:
        let event = start(String(step.label[..<dash]), in: step, from: step.number)
        pending[request] = event.effect
        return ([], [event])
      case "fulfilled", "rejected":
        guard let known = pending.removeValue(forKey: request) else { break }
        step.cause = .effect(known)
        return ([], [end(known, in: step)])
      default: break
      }
    }
    guard step.number > 1, let stack = step.stack,
      let tool = Self.tools.first(where: { stack.contains($0.0) })
    else { return ([], []) }
    // It answers what it has seen: the step before, as far as anybody can tell.
    let event = start(tool.1, in: step, from: step.number - 1)
    step.cause = .effect(event.effect)
    return ([event], [end(event.effect, in: step)])
  }

  private mutating func start(_ name: String, in step: Step, from number: Int) -> EffectEvent {
    effects += 1
    let origin = EffectOrigin(step: number, name: name, file: "Redux", line: 0, ordinal: 1)
    return EffectEvent(
      effect: EffectID(effects), step: number, time: step.time, kind: .started(origin))
  }

  private func end(_ effect: EffectID, in step: Step) -> EffectEvent {
    EffectEvent(effect: effect, step: step.number, time: step.time, kind: .finished)
  }
}
