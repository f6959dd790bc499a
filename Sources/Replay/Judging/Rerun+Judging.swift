import SessionWords

/// What the judge is told on the way of a run.
extension Rerun {
  mutating func assume(_ assumption: Assumption) {
    // On the way to where a branch leaves, its parent's steps have their standings already.
    guard !isOnTheWay else { return }
    if assumption.kind == .open { opened.append(assumption) } else { judge.assume(assumption) }
  }

  /// Nothing comes between the steps of one turn: what an effect may say comes behind them.
  mutating func endTurn() {
    guard !opened.isEmpty else { return }
    for assumption in opened { judge.assume(assumption.moved(to: step + 1)) }
    opened = []
  }

  /// What a step is worth by the values that it read (rule 9).
  mutating func judge(
    _ reads: StepReads, _ planned: inout Planned, isSameBefore: Bool
  ) {
    if reads.isEdited { planned.values = max(planned.values, .edited) }
    for doubt in reads.doubts {
      // What is the same up to here asks the same, whatever was recorded of it.
      if doubt.reason == .unclear, isSameBefore, !planned.isEdited { continue }
      assume(Assumption(doubt, at: step))
    }
    for read in reads.unused where planned.source != nil {
      planned.remarks.append("the recorded “\(read.key)” was not read")
    }
  }

  /// What is not known of the source's step is not known of the one that descends from it, as far as
  /// it uses the same.
  mutating func inherit(_ reads: StepReads, _ planned: Planned) {
    guard !isOnTheWay, let source = planned.source else { return }
    for assumption in cursor.source.assumptions(raisedAt: source) {
      switch assumption.subject {
      case .read(let key, let index):
        let edits = script.reads[source] ?? []
        guard reads.used.contains(where: { $0.key == key }),
          !edits.contains(where: { $0.key == key && $0.index == index })
        else { continue }
      case .effect, .action: if assumption.kind == .open || planned.isEdited { continue }
      case .state: if assumption.kind == .edited { continue }
      }
      judge.assume(assumption.moved(to: step))
    }
  }

  /// The effects that may speak from this step of the source on.
  mutating func inheritOpenEffects(after source: Int) {
    guard !isOnTheWay else { return }
    for assumption in cursor.source.assumptions(raisedAt: source) where assumption.kind == .open {
      guard case .effect(let effect) = assumption.subject, book.knows(effect),
        script.answers[effect] == nil
      else { continue }
      var own = assumption.moved(to: step + 1)
      if let number = book.entry(matching: effect)?.number { own.subject = .effect(number) }
      judge.assume(own)
    }
  }

  /// An effect that starts now and that nobody knows all about may speak from the next step on.
  mutating func judgeStart(of number: Int) {
    guard let entry = book.entry(number), !entry.isAnsweredByHand else { return }
    if entry.isUnanswered {
      assume(.open(entry, after: step, .unanswered))
    } else if entry.asksOtherwise {
      assume(.open(entry, after: step, .asksOtherwise))
    }
  }

  /// What an emission is worth before it is reduced (rules 10 and 11).
  mutating func weigh(_ cause: Cause, _ planned: Planned) {
    guard case .effect(let effect) = cause, let entry = book.entry(matching: effect),
      !entry.isTrusted || entry.hasLostEmission
    else { return }
    assume(.oldAnswer(of: entry, at: step + 1))
  }

  /// Effects whose cancel ids the machine does not know: nor whether a step cancels them that is not as
  /// recorded.
  mutating func judgeUnseen() {
    for entry in book.inFlight.values
    where (takesCancellationsAsRecorded || entry.machine == nil && entry.origin.cancelID != nil)
      && !entry.isAnsweredByHand
    {
      assume(.open(entry, after: step, .perhapsCancelled))
    }
  }

  /// What still runs where the recording ends was not seen any further.
  mutating func judgeEnd() {
    guard let clock, let end = cursor.source.end, clock > end else { return }
    for entry in book.inFlight.values.sorted(by: { $0.number < $1.number })
    where !entry.isAnsweredByHand && !entry.isPause {
      assume(.open(entry, after: step, .pastTheEnd))
    }
    endTurn()
  }
}

extension Assumption {
  fileprivate func moved(to step: Int) -> Self {
    var moved = self
    moved.step = step
    return moved
  }
}
