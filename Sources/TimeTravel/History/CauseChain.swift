import SessionWords

package struct CauseLink: Sendable, Hashable {
  package var step: Int
  package var label: String
  package var cause: Cause?
  package var effect: EffectSpan?
  package var outside = OutsideSender.user
}

/// The sender of an action that neither an effect nor a reducer sent.
package enum OutsideSender: String, Sendable, Hashable {
  case user = "sent by the user"
  case edit = "your edit"
  case start = "the session starts here"
  case unknown = "the file does not say what sent it"
}

extension CauseLink {
  package var sender: String {
    switch cause {
    case nil, .user: outside.rawValue
    case .output(let step): "sent by the reducer at \(step)"
    case .effect(let number):
      "sent by \(effect?.name ?? number.words)"
        + (effect.map { ", started at \($0.origin.step)" } ?? "")
    }
  }
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
    return told.step.damage == nil && summary.knowsCauses ? .user : .unknown
  }

  /// The step, its sender, the sender's sender, and so on; the user's action last.
  package func causes(of position: Position) throws -> [CauseLink] {
    var links: [CauseLink] = []
    var next: Int? = position.step
    while let number = next, links.count < 1_000 {
      let here = Position(branch: position.branch, step: number)
      let told = try step(at: here)
      let step = told.step
      let isKnown = step.damage == nil && (step.cause != .user || summary.knowsCauses)
      var link = CauseLink(step: number, label: step.label, cause: isKnown ? step.cause : nil)
      link.outside = outsideSender(of: told)
      switch step.cause {
      case .user: next = nil
      case .output(let source): next = source < number ? source : nil
      case .effect(let effect):
        link.effect = try effects(in: number...number, of: position.branch)
          .first { $0.number == effect }
        next = link.effect.map(\.origin.step).flatMap { $0 < number ? $0 : nil }
      }
      links.append(link)
    }
    return links
  }
}
