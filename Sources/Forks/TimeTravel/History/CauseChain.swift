import SessionWords

package struct CauseLink: Sendable, Hashable {
  package var step: Int
  package var label: String
  package var cause: Cause?
  package var effect: EffectSpan?
  package var outside = OutsideSender.user
}

/// The sender of an action that neither an effect nor a reducer sent.
package enum OutsideSender: Sendable, Hashable {
  case user, edit, start, unknown
  case outside(String?)

  package var words: String {
    switch self {
    case .user: "sent by the user"
    case .edit: "your edit"
    case .start: "the session starts here"
    case .unknown: "the file does not say what sent it"
    case .outside(let name): name.map { "sent by \($0), from outside" } ?? "sent from outside"
    }
  }
}

extension CauseLink {
  package var sender: String {
    switch cause {
    case nil, .user, .outside, .unknown: outside.words
    case .output(let step): "sent by the reducer at \(step)"
    case .effect(let number):
      "sent by \(effect?.name ?? number.words)"
        + (effect.map { ", \($0.origin.startWords) \($0.origin.step)" } ?? "")
    }
  }
}

extension EffectOrigin {
  package var startWords: String { isFromOutside ? "called after" : "started at" }
}

extension [CauseLink] {
  package var lines: [String] {
    enumerated().map { index, link in
      (index == 0 ? "" : "← ") + "\(link.step) \(link.label)  \(link.sender)"
    }
  }
}

extension OpenSession {
  func outsideSender(of told: BranchStep) -> OutsideSender {
    if told.descendsFrom == nil { return .edit }
    if told.step.number == 0 { return .start }
    guard told.step.tellsCause(ifKnown: summary.knowsCauses) else { return .unknown }
    if case .outside(let name) = told.step.cause { return .outside(name) }
    return .user
  }

  /// The step, its sender, the sender's sender, and so on; the user's action last.
  package func causes(of position: Position) throws -> [CauseLink] {
    var links: [CauseLink] = []
    var next: Int? = position.step
    while let number = next, links.count < 1_000 {
      let here = Position(branch: position.branch, step: number)
      let told = try step(at: here)
      let step = told.step
      let isKnown = step.tellsCause(ifKnown: summary.knowsCauses)
      var link = CauseLink(step: number, label: step.label, cause: isKnown ? step.cause : nil)
      link.outside = outsideSender(of: told)
      switch step.cause {
      case .user, .outside, .unknown: next = nil
      case .output(let source): next = source < number ? source : nil
      case .effect(let effect):
        link.effect = try effects(in: number...number, of: position.branch)
          .first { $0.number == effect }
        next = link.effect.flatMap {
          $0.origin.step < number && !$0.origin.isFromOutside ? $0.origin.step : nil
        }
      }
      links.append(link)
    }
    return links
  }
}
