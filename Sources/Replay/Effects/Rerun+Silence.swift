import StoreCore

/// Effects that are cancelled without the answer that they might have had, and those of moved steps.
extension Rerun {
  /// Called where an effect is cancelled: an answer to come is lost.
  mutating func noteSilence(of entry: EffectBook.Entry) {
    guard !entry.isAnsweredByHand, entry.isUnanswered else { return }
    log.remarks.append(
      "\(entry.words) was cancelled at step \(step) before it was answered")
  }

  /// A moved step, and all that it sends.
  mutating func noteDisplacement(of planned: Planned) {
    if case .output(let sender) = planned.cause, displaced.contains(sender) {
      displaced.insert(step)
    } else if let source = planned.source, script.moved.contains(source) {
      displaced.insert(step)
    }
  }

  /// An effect at another time is another question; what the recording has said of it by now cannot be
  /// said again. A pause takes as long as it takes.
  mutating func displace(_ entry: inout EffectBook.Entry) {
    entry.isTrusted = false
    guard let matched = entry.matched else { return }
    if entry.isPause {
      entry.matched = nil
    } else if !sourceInFlight.contains(matched), position >= (descents[entry.origin.step] ?? .max) {
      entry.isUnanswered = true
    }
  }
}

extension EffectBook.Entry {
  /// It was started under other circumstances than the recorded effect that it is.
  var asksOtherwise: Bool { matched != nil && !isTrusted && !isPause && !isOnTape }
}
