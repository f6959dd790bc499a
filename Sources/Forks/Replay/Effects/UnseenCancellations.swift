import SessionWords
import StoreCore

extension EffectMatcher {
  /// The effects that the machine has not started, with their ids as the recording writes them.
  var unseen: [(entry: Entry, id: String)] {
    inFlight.values.compactMap { entry in
      guard entry.machine == nil, entry.responder != .user, let id = entry.origin.cancelID else {
        return nil
      }
      return (entry, id)
    }.sorted { $0.entry.number < $1.entry.number }
  }
}

/// Effects from before the session, or of steps that do not run again (`endings/unseen-cancel`).
extension Rerun {
  /// Whether there are any. If so, the machine tells from now on which ids it cancels.
  mutating func watchUnseen() -> Bool {
    guard !mode.believesSource, !setup.takesCancellationsAsRecorded, !matcher.unseen.isEmpty else {
      return false
    }
    machine.watchCancelledIDs()
    return true
  }

  /// Cancels those whose recorded ids a changed step cancels. Returns their numbers in the source.
  mutating func cancelUnseenNamed() -> [EffectID] {
    defer { machine.endWatchingIDs() }
    return matcher.unseen.compactMap { entry, id in
      switch machine.cancellation(ofEffectNamed: id) {
      case .no: return nil
      case .yes:
        matcher.end(entry.number, .cancelled)
        record(entry.number, .cancelled)
        return entry.matched
      case .unknown:
        let isFromBefore = entry.origin.step <= replayCursor.source.steps.lowerBound
        classifier.assume(
          .open(entry, after: step, .perhapsCancelled(isFromBefore: isFromBefore)))
        return nil
      }
    }
  }
}
