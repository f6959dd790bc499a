import SessionWords
import TimeTravel
import ValueTree

extension Minimum {
  package var note: String {
    let count = actions.count
    return
      "\(grouped(count)) of \(counted(userSteps, "action")) \(count == 1 ? "is" : "are") enough"
  }

  package var sentence: String {
    (["\(note) (\(counted(runs, "run")))"] + details).joined(separator: "; ")
  }

  /// The grounds of the claim.
  package var details: [String] {
    var parts: [String] = []
    switch stopped {
    case nil where isMinimal:
      parts.append(
        "none of them can be left out" + (upTo.map { ", judged up to step \(grouped($0))" } ?? ""))
    case nil: break
    case .runs: parts.append("the best so far: the limit of runs was reached")
    case .time: parts.append("the best so far: the time limit was reached")
    case .cancelled: parts.append("the best so far: it was stopped")
    }
    parts.append(verdict.standingWords)
    return parts
  }

  package var remarks: [String] {
    var remarks = otherFailures.map { "also found, a different failure: \($0)" }
    remarks += lostEqualities.map { lost in
      let others = lost.others.map { grouped($0) }.joined(separator: ", ")
      let left = lost.others.count == 1 ? "step \(others), which is" : "steps \(others), which are"
      return "it may be another failure: \(ValuePath(lost.place, in: .null).text) "
        + "\(ValuePreview.text(lost.value)) of recorded step \(grouped(lost.step)) is also in \(left) "
        + "left out"
    }
    if assumed > 0 {
      remarks.append(
        "\(counted(assumed, "smaller session")) would do, but only as a guess")
    }
    remarks += [notAgain].compactMap(\.self)
    if !isSameAgain {
      remarks.append(
        "in a new process, its state is another than in the search: the reducer keeps variables "
          + "between runs")
    }
    return remarks
  }
}

extension Verdict {
  package var standingWords: String {
    if isKnown { return "certain: everything it uses was recorded or set by you" }
    guard let first = assumptions.first(where: { !$0.kind.values.areKnown }) else {
      return "a guess: Retcon does not see which effects this reducer starts"
    }
    let more = assumptions.filter { !$0.kind.values.areKnown }.count - 1
    return "a guess: \(first.sentence)" + (more > 0 ? " (and \(more) more)" : "")
  }
}

extension Minimum.Action {
  /// Whether its payload and its place matter, one line each. `number` maps a recorded step to its
  /// number for the reader.
  package func remarks(_ number: (Int) -> Int = { $0 }) -> [String] {
    var lines = payload.map { note in
      let others = note.alsoIn.map { grouped(number($0)) }.joined(separator: ", ")
      return note.words(of: "") + (others.isEmpty ? "" : ", equal to the one in \(others)")
    }
    lines += reads.map { $0.note.words(of: "read \($0.key)") }
    if let comesAfter { lines.append("must come after \(number(comesAfter))") }
    return lines
  }

  package func note(_ number: (Int) -> Int = { $0 }) -> String {
    let remarks = remarks(number)
    return remarks.isEmpty ? "needed" : remarks.joined(separator: "; ")
  }
}

extension PayloadNote {
  func words(of name: String) -> String {
    let path = ValuePath(place, in: .null).text
    let what = [name, path].filter { !$0.isEmpty }.joined(separator: " ")
    let subject = what.isEmpty ? "its payload" : what
    let shown = ValuePreview.text(value)
    if let failing {
      let how = isGuess ? "only as a guess" : isFewer ? "fewer actions are enough" : "not"
      return "\(subject) \(isGuess ? "may matter" : "matters"): with \(shown) it happens, "
        + "with \(ValuePreview.text(failing)) \(how)"
    }
    if isFewer {
      return "\(subject) matters: with a simpler value than \(shown), fewer actions are enough"
    }
    if isGuess { return "\(subject) may matter: a simpler value than \(shown) works as a guess" }
    return isNeeded
      ? "\(subject) matters: no simpler value than \(shown) works"
      : "\(subject) may differ: with \(shown) it happens, too"
  }
}
