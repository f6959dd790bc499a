import SessionWords
import ValueTree

/// Another thing that could have come from outside, in a session that holds all that came. An answer
/// fails or comes later, a socket closes, or the user does something twice.
package struct OutsideChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case fails, late, otherOrder, lost, twice }

  package var kind: Kind
  package var edits: [Edit]
  /// The end of a sentence about the step.
  package var words: String
}

extension OpenSession {
  /// More steps are not looked through for what comes next.
  private static var mostLooked: Int { 2_000 }

  package func outsideChanges(at position: Position) throws -> [OutsideChange] {
    let step = try step(at: position).step
    guard case .effect(let effect) = step.cause else { return try repeated(step, at: position) }
    let told = step.action["retcon"]
    guard told != nil, told?["fire"] == nil else { return [] }
    let later = try laterSteps(than: position)
    func moved(_ kind: OutsideChange.Kind, behind other: Step?) throws -> OutsideChange? {
      try other.map {
        let end = try end(ofTurn: Position(branch: position.branch, step: $0.number))
        return OutsideChange(
          kind: kind, edits: [.move(step: step.number, after: end)],
          words: "comes after \($0.number) \($0.label)")
      }
    }
    var changes: [OutsideChange?] = []
    if told?["answer"] != nil, told?["error"] == nil {
      let failed = step.action.failed(label: step.label)
      changes.append(
        OutsideChange(
          kind: .fails, edits: [.replace(step: step.number, action: failed)],
          words: "fails: there is no connection"))
    }
    if told?["answer"] != nil {
      changes.append(try moved(.late, behind: later.first { $0.cause.isFromOutside }))
      // Both were on their way at this step.
      let next = try later.first { other in
        guard case .effect(let number) = other.cause, number != effect,
          other.action["retcon"]?["answer"] != nil
        else { return false }
        return try effects(in: other.number...other.number, of: position.branch)
          .contains { $0.number == number && $0.origin.step < step.number }
      }
      changes.append(try moved(.otherOrder, behind: next))
    } else if let close = step.action.closed(label: step.label) {
      let isSocket = close["retcon"]?["lost"] != nil
      let rest = later.filter { $0.cause == step.cause }.map { Edit.skip(step: $0.number) }
      changes.append(
        OutsideChange(
          kind: .lost, edits: [.replace(step: step.number, action: close)] + rest,
          words: isSocket ? "is lost for 3 s" : "is lost here, until the app connects again"))
    }
    return changes.compactMap(\.self)
  }

  /// The user does it again while an effect that it started is in flight.
  private func repeated(_ step: Step, at position: Position) throws -> [OutsideChange] {
    let turn = try step.number...end(ofTurn: position)
    let open = try effects(in: turn, of: position.branch).first {
      turn.contains($0.origin.step) && $0.end.map { turn.contains($0.step) } != true
    }
    guard step.cause.isFromOutside, let open else { return [] }
    let edit = Edit.insert(after: turn.upperBound, action: step.action)
    return [
      OutsideChange(kind: .twice, edits: [edit], words: "twice, before \(open.name) ends")
    ]
  }

  private func lastStep(of branch: BranchID) -> Int {
    self.branch(branch)?.steps.upperBound ?? summary.steps.upperBound
  }

  private func end(ofTurn position: Position) throws -> Int {
    var end = position
    let last = lastStep(of: position.branch)
    while end.step < last {
      let next = Position(branch: end.branch, step: end.step + 1)
      guard try step(at: next).step.isOutput else { break }
      end = next
    }
    return end.step
  }

  private func laterSteps(than position: Position) throws -> [Step] {
    let last = lastStep(of: position.branch)
    guard position.step < last else { return [] }
    return try (position.step + 1...min(last, position.step + Self.mostLooked)).map {
      try step(at: Position(branch: position.branch, step: $0)).step
    }
  }
}

extension Value {
  /// A request that finds no server, instead of its answer.
  fileprivate func failed(label: String) -> Value {
    var told = self["retcon"] ?? [:]
    for key in ["status", "body", "kind"] { told[key] = nil }
    told["error"] = "TypeError: Failed to fetch"
    return ["type": .string(Self.other(label, "failed")), "retcon": told]
  }

  /// A channel that closes instead of what came through it; nil if it does so anyway.
  fileprivate func closed(label: String) -> Value? {
    guard let hear = self["retcon"]?["hear"], self["retcon"]?["event"] != "close",
      self["retcon"]?["readyState"] != 2
    else { return nil }
    guard label.hasPrefix("socket ") else {
      let told: Value = ["hear": hear, "event": "error", "readyState": 2]
      return ["type": .string(Self.other(label, "error")), "retcon": told]
    }
    let told: Value = [
      "hear": hear, "event": "close", "code": 1006, "reason": "", "wasClean": false, "lost": 3,
    ]
    return ["type": .string(Self.other(label, "close")), "retcon": told]
  }

  private static func other(_ label: String, _ end: String) -> String {
    label.split(separator: " ").dropLast().joined(separator: " ") + " " + end
  }

  /// The answer of another effect, for the effect of this action.
  package func telling(_ other: Value) -> Value {
    guard let told = self["retcon"], var new = other["retcon"] else { return other }
    for key in ["answer", "asks", "hear"] { new[key] = told[key] }
    var action = other
    action["retcon"] = new
    return action
  }
}
