import SessionWords
import Synchronization

/// The faults that ``Bazaar`` can have, one at a time.
enum Fault: String, CaseIterable, Sendable {
  // Another state.
  case addsOneMore, negativeZero, emptyForNil, forgetsToEmpty, composes, loses, sortsBackwards
  case prepends, keepsOld, scrollsTwice, shouts, scales, rounds, visitsTwice
  // Other questions.
  case asksNothing, asksOtherwise, asksOtherwiseWhenLarge, asksTwice, asksTheTime
  case offersOneMore, offersInCapitals, drawsAnother
  // Other effects.
  case startsOneMore, cancelsMore, otherWindow, loadIsRenamed, loadIsDropped, loadsTwice
  case otherCancelID, letsRun, chainIsDropped, cancelsNothing, searchIsRenamed, searchIsDropped
  case otherPause, pairsBackwards, stallIsSilent, stallIsRenamed
  // Other sends.
  case sendsAnother, sendsInAnotherOrder, sendsLess, sendsMore
  // Not the same twice.
  case walksTheSet, countsGlobally, rollsOutside

  private static let count = Atomic(0)

  static func globalCount() -> Int { count.add(1, ordering: .relaxed).newValue }

  /// The name that `verify` must give it.
  var kind: Divergence.Kind {
    switch self {
    case .addsOneMore, .negativeZero, .emptyForNil, .forgetsToEmpty, .composes, .loses,
      .sortsBackwards, .prepends, .keepsOld, .scrollsTwice, .shouts, .scales, .rounds, .visitsTwice:
      .state
    case .asksNothing: .unusedRead
    case .asksTwice, .asksTheTime: .missingRead
    case .asksOtherwise, .asksOtherwiseWhenLarge, .offersOneMore, .offersInCapitals, .drawsAnother:
      .read
    case .sendsLess: .missingStep
    case .sendsMore: .extraStep
    case .walksTheSet, .countsGlobally, .rollsOutside: .nondeterministic
    default: .effect
    }
  }

  /// Whether it shows at a recorded step.
  func shows(at place: RecordedPlace) -> Bool {
    let before = place.before
    switch (self, place.action) {
    case (.addsOneMore, .add), (.startsOneMore, .add), (.countsGlobally, .add): return true
    case (.cancelsMore, .add): return place.isLoading
    case (.negativeZero, .zero), (.emptyForNil, .zero): return true
    case (.forgetsToEmpty, .zero): return !before.log.isEmpty
    case (.composes, .tag), (.sortsBackwards, .walk), (.walksTheSet, .walk): return true
    case (.loses, .tag): return true
    case (.prepends, .noted(let text)): return before.log.contains { $0 != text }
    case (.keepsOld, .found): return !before.found.isEmpty
    case (.scrollsTwice, .scrolled): return true
    case (.shouts, .detail), (.shouts, .paired): return true
    case (.scales, .price): return place.price != 0
    case (.rounds, .stamp), (.drawsAnother, .draw), (.rollsOutside, .draw): return true
    case (.visitsTwice, .stall(.element(_, .visit))): return true
    case (.stallIsSilent, .stall(.element(_, .visit))): return true
    case (.stallIsRenamed, .stall(.element(_, .visit))): return true
    case (.asksNothing, .price), (.asksOtherwise, .price), (.asksTwice, .price): return true
    case (.asksTheTime, .price): return true
    case (.asksOtherwiseWhenLarge, .price): return before.counter > 6
    case (.offersOneMore, .offer), (.offersInCapitals, .offer): return true
    case (.loadIsRenamed, .load), (.loadIsDropped, .load), (.loadsTwice, .load): return true
    case (.otherCancelID, .load): return true
    case (.letsRun, .load), (.cancelsNothing, .cancelLoad): return place.isLoading
    case (.chainIsDropped, .loaded): return true
    case (.otherPause, .type): return true
    case (.pairsBackwards, .pair): return true
    case (.sendsMore, .announce): return true
    case (.sendsInAnotherOrder, .noted): return place.isOutput(1)
    case (.sendsAnother, .noted), (.sendsLess, .noted): return place.isOutput(2)
    default:
      // The end of a throttle's or a debounce's pause shows what it lets through.
      return self == .otherWindow && place.starts("throttle")
        || (self == .searchIsRenamed || self == .searchIsDropped) && place.goesOn("search")
    }
  }
}

/// A recorded step, for those who say where a fault shows.
struct RecordedPlace {
  var step: Step
  var action: Bazaar.Action
  var before: Bazaar.State
  /// The events of effects since the step.
  var events: [EffectEvent]
  /// A load is in flight before the step.
  var isLoading: Bool

  var price: Double { BazaarClient.liveValue.price(before.counter) }

  func starts(_ name: String) -> Bool {
    events.contains {
      if case .started(let origin) = $0.kind { origin.name == name } else { false }
    }
  }

  /// An effect starts that an earlier step asked for.
  func goesOn(_ name: String) -> Bool {
    events.contains {
      if case .started(let origin) = $0.kind {
        origin.name == name && $0.step >= origin.step
      } else {
        false
      }
    }
  }

  /// The n-th action that a step sent at once.
  func isOutput(_ number: Int) -> Bool {
    if case .output(let sender) = step.cause { step.number == sender + number } else { false }
  }
}
