import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// The reason for an outcome: related steps, each tested, and the last chance to avoid it.
package struct Reason: Sendable {
  package struct Link: Sendable {
    package var step: Int
    package var label: String
    package var sender: String
    /// The link that led here: the step that it sent, or whose value it had set.
    package var parent: Int?
    package var mark: Mark
    /// The value behind the asked one that it sets.
    package var value: String?
    /// Whether its line was given already while the search ran.
    package var isTold = false
  }

  package enum Mark: Sendable, Hashable {
    case necessary
    /// The goal is reached without it alone, but the smallest session lacks the goal without it.
    case contributing
    case noPart
    /// It happens without it; what the smallest session needs is unknown.
    case notNeeded
    case notTested(String)

    static let left = Mark.notTested("the search ended before")
  }

  package var links: [Link]
  /// The nearest session without the outcome: the changed step, and the change in words.
  package var avoided: (step: Int, words: String, script: Script)?
  package var curve: [CurvePoint]
  /// Whether the curve is of forks without some actions: there were no answers and reads to change.
  var variesActions = false
  package var verdict: Verdict
  /// The step that today's reducer takes differently, if this is the outcome. Recordings do not
  /// tell what the old one would do with other values.
  var different: (step: Int, label: String)?
  /// The smallest session, which decided what contributes.
  var minimum: Minimum?
  package var isRunAgain = true
  package var runs = 0
  package var stopped: Trials.Stopped?
}

/// The share of variations after a step that still reach the goal.
package struct CurvePoint: Sendable, Hashable {
  package var after: Int
  package var label = ""
  package var happened: Int
  package var tried: Int

  package var share: Double { tried == 0 ? 1 : Double(happened) / Double(tried) }
}

extension Reason {
  package var sealed: CurvePoint? {
    guard let last = curve.lastIndex(where: { $0.share < 1 }) else { return nil }
    return curve.indices.contains(last + 1) ? curve[last + 1] : nil
  }

  /// The links whose tests are finished.
  package var finished: [Link] { links.filter { $0.mark != .left } }

  package var lines: [String] { finished.map(line) }

  package func line(of link: Link) -> String {
    let depth = depth(of: link)
    return String(repeating: "  ", count: depth) + (depth > 0 ? "← " : "")
      + "\(link.step) \(link.label)  \(link.sender): \(link.mark.words)"
      + (link.value.map { "; \($0)" } ?? "")
  }

  private func depth(of link: Link) -> Int {
    var depth = 0
    var next = link.parent
    while let parent = next, depth < 20 {
      depth += 1
      next = links.first { $0.step == parent }?.parent
    }
    return depth
  }

  private func names(_ words: String, _ mark: Reason.Mark) -> String? {
    let names = links.filter { $0.mark == mark }.map { "\($0.step) \($0.label)" }
    let rest = names.count > 8 ? " and \(names.count - 6) more" : ""
    let first = names.prefix(rest.isEmpty ? 8 : 6).joined(separator: ", ")
    return names.isEmpty ? nil : "\(words): \(first)\(rest)."
  }

  /// A step is compared only where it finds the values that it changes.
  private var needed: String? {
    guard let different else { return nil }
    let steps = links.filter { $0.mark == .necessary && $0.step < different.step }
    let names = steps.sorted { $0.step < $1.step }.map { "\($0.step) \($0.label)" }
    guard !names.isEmpty else { return nil }
    return "\(different.step) \(different.label) meets the same values only if "
      + "\(names.count > 1 ? "all of these" : names[0]) came before it"
      + (names.count > 1 ? ": \(names.joined(separator: ", "))." : ".")
  }

  package var sentences: [String] {
    let chain = [
      different != nil ? needed : names("Necessary", .necessary),
      names("Contributing", .contributing),
    ].compactMap(\.self)
    var lines = chain.isEmpty ? [] : [chain.joined(separator: " ")]
    let isNeeded = minimum?.isMinimal == true
    lines += [
      names(
        isNeeded
          ? "The smallest session needs them, and none of these was left out alone of the whole session"
          : "Not tested, because \(Mark.left.words.dropFirst("not tested: ".count))", .left)
    ].compactMap(\.self)
    if let avoided {
      lines.append(avoided.words)
    } else if stopped == nil {
      lines.append("No single change that was tried avoids it, so there is no fork.")
    }
    if !curve.isEmpty {
      lines.append(
        "Retcon \(variesActions ? "left out some of the actions" : "changed answers or reads") after a step. "
          + "It still happened in this share of the forks: \(curve.words).")
    }
    if let jump = curve.jump, curve.count > 2 {
      lines.append(
        "The turning point is \(jump.to.after) \(jump.to.label): \(jump.from.percent) before, "
          + "\(jump.to.percent) after it.")
    }
    if let sealed {
      lines.append("After step \(sealed.after), none of them avoids it.")
    }
    if let stopped { lines.append("The search was stopped (\(stopped)) before it tested all.") }
    lines += [notAgain].compactMap { $0.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." } }
    return lines + ["\(counted(runs, "run")); \(verdict.standingWords)"]
  }
}

extension CurvePoint {
  package var percent: String { "\(Int((share * 100).rounded())) %" }
}

extension [CurvePoint] {
  package var jump: (from: CurvePoint, to: CurvePoint)? {
    zip(self, dropFirst()).max { $0.1.share - $0.0.share < $1.1.share - $1.0.share }
      .flatMap { $0.1.share > $0.0.share ? (from: $0.0, to: $0.1) : nil }
  }

  /// Neighbours with equal shares are merged; of many, the first and the last are shown.
  fileprivate var words: String {
    var stretches: [(first: CurvePoint, last: CurvePoint)] = []
    for point in self {
      if let before = stretches.last, before.first.percent == point.percent {
        stretches[stretches.count - 1].last = point
      } else {
        stretches.append((point, point))
      }
    }
    var words = stretches.map { first, last in
      first.after == last.after
        ? "\(first.percent) after step \(first.after)"
        : "\(first.percent) after steps \(first.after) to \(last.after)"
    }
    if words.count > 6 { words.replaceSubrange(3..<words.count - 2, with: ["…"]) }
    return words.joined(separator: ", ")
  }
}

extension Reason.Mark {
  package var words: String {
    switch self {
    case .necessary: "necessary"
    case .contributing: "contributing"
    case .noPart: "plays no part"
    case .notNeeded: "it also happens without it"
    case .notTested(let reason): "not tested: \(reason)"
    }
  }
}
