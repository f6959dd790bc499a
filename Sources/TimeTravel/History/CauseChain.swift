import SessionWords

package struct CauseLink: Sendable, Hashable {
  package var step: Int
  package var label: String
  package var cause: Cause?
  package var effect: EffectSpan?
}

extension CauseLink {
  package var sender: String {
    switch cause {
    case nil: "the file does not say what sent it"
    case .user: "sent by the user"
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
  /// The step, its sender, the sender's sender, and so on; the user's action last.
  package func causes(of position: Position) throws -> [CauseLink] {
    var links: [CauseLink] = []
    var next: Int? = position.step
    while let number = next, links.count < 1_000 {
      let here = Position(branch: position.branch, step: number)
      let step = try step(at: here).step
      let isKnown = step.damage == nil && (step.cause != .user || summary.knowsCauses)
      var link = CauseLink(step: number, label: step.label, cause: isKnown ? step.cause : nil)
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
