import SessionFile
import SessionWords
import ValueTree

/// Finds the senders of a Redux app's actions. Actions name the request of a thunk or of an RTK
/// Query. A stack proves nothing: a middleware that passes actions on is in all of them.
package struct ReduxCauses {
  private var effects = 0
  private var pending: [String: EffectID] = [:]

  package init() {}

  /// Whether the text of an action may tell of an effect. Most do not, which saves parsing them.
  static func mayTell(_ action: [UInt8]) -> Bool {
    action.withUnsafeBytes(signs.isFound)
  }

  private static let signs = ["requestId", "\\u"].flatMap { ByteSearch.all(for: Array($0.utf8)) }

  /// Gives the step its cause, and returns the event after it.
  package mutating func judge(_ step: inout Step) -> EffectEvent? {
    if let request = step.action["meta"]?["requestId"]?.string,
      let dash = step.label.lastIndex(of: "/")
    {
      let status =
        step.action["meta"]?["requestStatus"]?.string
        ?? String(step.label[step.label.index(after: dash)...])
      switch status {
      case "pending"
      where pending[request] == nil && pending.count < 100_000 && request.utf8.count < 1_000:
        let event = start(String(step.label[..<dash]), in: step, from: step.number)
        pending[request] = event.effect
        return event
      case "fulfilled", "rejected":
        guard let known = pending.removeValue(forKey: request) else { break }
        step.cause = .effect(known)
        return end(known, in: step)
      default: break
      }
    }
    return nil
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
