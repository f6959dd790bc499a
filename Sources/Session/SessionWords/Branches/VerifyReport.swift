import ValueTree

/// The result of re-running a recording with the current reducer.
public struct VerifyReport: Sendable, Hashable {
  /// The number of re-run steps.
  public var steps: Int
  /// The differences in step order; empty if all is as recorded.
  public var divergences: [Divergence]
  /// Steps with undecodable actions, replaced by their recorded states.
  public var undecodable: [UndecodableStep]
  /// Keys of reads without a known step or effect, which a replay cannot supply.
  public var unattributedReads: [String]
  /// Whether the check ended early: cancelled, or satisfied with the first finding.
  public var isPartial: Bool

  /// Remarks for people, one sentence each.
  public var remarks: [String] = []
  /// Steps that cannot run, because their inputs are lost.
  public var unchecked: [UncheckedSteps] = []
  /// How many of the steps have no recorded state to compare with.
  public var uncompared = 0
  /// The step that the app stopped in, which is not counted as run.
  public var unfinished: UnfinishedStep?

  /// Whether everything ran and is as recorded.
  public var isEqual: Bool { divergences.isEmpty && undecodable.isEmpty }

  package init(
    steps: Int, divergences: [Divergence] = [], undecodable: [UndecodableStep] = [],
    unattributedReads: [String] = [], isPartial: Bool = false
  ) {
    self.steps = steps
    self.divergences = divergences
    self.undecodable = undecodable
    self.unattributedReads = unattributedReads
    self.isPartial = isPartial
  }
}

/// A recorded step whose action the current types cannot decode.
public struct UndecodableStep: Sendable, Hashable {
  /// Its number in the recording.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// The decoder's message.
  public var reason: String

  package init(step: Int, label: String, reason: String) {
    self.step = step
    self.label = label
    self.reason = reason
  }
}

/// Recorded steps that could not run again.
public struct UncheckedSteps: Sendable, Hashable {
  /// Their numbers in the recording.
  public var steps: ClosedRange<Int>
  /// The missing input.
  public var reason: String

  package init(steps: ClosedRange<Int>, reason: String) {
    self.steps = steps
    self.reason = reason
  }

  /// Such steps ran again, with another value than they had.
  package static let redacted = "was not compared, because of a redacted value:"

  package var isRedacted: Bool { reason.contains(Self.redacted) }

  /// Such steps did not run when they were recorded, either.
  package static let interrupted = "an earlier step ended in an error, as recorded"
}

/// A recorded step that began and never ended.
public struct UnfinishedStep: Sendable, Hashable {
  /// Its number in the recording.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// Whether it ended when run again; nil if not tried. If not, that is a crash divergence.
  public var endsNow: Bool?

  package init(step: Int, label: String, endsNow: Bool? = nil) {
    self.step = step
    self.label = label
    self.endsNow = endsNow
  }
}

/// The rules and limits of a verification.
public struct VerifyOptions: Sendable, Hashable {
  /// Whether unused recorded values are allowed.
  public var allowsUnusedReads = false
  /// Whether unrecorded values are allowed.
  public var allowsMissingReads = false
  /// Whether the reducer runs twice at every step, to compare the results.
  public var checksDeterminism = true
  /// The most divergences to find.
  public var limit = 1
  /// The most places of one step, of those where its state differs.
  package var placesOfStep = 12
  /// The step whose recorded state is the start; nil for the first.
  public var after: Int?
  /// The last step to check; nil for the last recorded.
  public var until: Int?

  /// Creates strict options, which end at the first divergence.
  public init() {}

  /// Options that continue after the first divergence, up to a limit.
  public static var all: Self {
    var options = Self()
    options.limit = 1000
    return options
  }
}

extension VerifyReport {
  /// The report for people: recorded and re-run values in two columns, by path.
  ///
  /// ```
  /// cart.retcon: 41 steps were run again, and the re-run differs from step 12 on.
  ///
  /// step 12  cart.couponApplied, sent by the user: different state
  ///             recorded  re-run
  ///   /total    0         -0.75
  /// ```
  public func text(title: String) -> String {
    let count = "\(counted(steps, "step")) \(steps == 1 ? "was" : "were")"
    var lines = ["\(title): \(count) run again\(verdict)"]
    if steps == 0, !stopsAgain, let first = divergences.first {
      lines = ["\(title): the re-run differs from its first step on, step \(grouped(first.step))."]
    }
    for group in groups { lines += [""] + Self.lines(group) }
    if !undecodable.isEmpty { lines += [""] + undecodableLines }
    if !unchecked.isEmpty { lines += [""] + uncheckedLines }
    if let unfinished, let sentence = unfinished.sentence { lines += ["", sentence] }
    if !unattributedReads.isEmpty {
      let keys = unattributedReads.joined(separator: ", ")
      lines += ["", "Read outside of steps and effects, so not replayed: \(keys)."]
    }
    if !remarks.isEmpty { lines += [""] + remarks.map { "\($0)." } }
    return lines.joined(separator: "\n")
  }

  private var stopsAgain: Bool { unfinished?.endsNow == false && divergences.count == 1 }

  private var verdict: String {
    if let unfinished, stopsAgain {
      return ", all as recorded; step \(grouped(unfinished.step)) stops the app again."
    }
    if let first = divergences.first {
      return ", and the re-run differs from step \(grouped(first.step)) on."
    }
    if !undecodable.isEmpty {
      let actions = undecodable.count == 1 ? "whose action does" : "whose actions do"
      return ", equal but for \(grouped(undecodable.count)) \(actions) not decode."
    }
    if uncompared > 0 {
      guard steps > uncompared else {
        return "; none could be compared: there is no recorded state."
      }
      return "; \(grouped(steps - uncompared)) could be compared, as recorded; "
        + "the rest has no recorded state."
    }
    if isPartial { return " and equal; the rest was not checked." }
    let isRedacted = unchecked.contains(where: \.isRedacted)
    let rest = "; some could not be\(isRedacted ? " compared" : "")"
    return ", all as recorded\(unchecked.isEmpty ? "" : rest)."
  }

  private var groups: [[Divergence]] {
    var groups: [[Divergence]] = []
    for divergence in divergences {
      if let last = groups.last?.last, last.step == divergence.step, last.kind == divergence.kind,
        last.hint == divergence.hint
      {
        groups[groups.count - 1].append(divergence)
      } else {
        groups.append([divergence])
      }
    }
    return groups
  }

  private static func lines(_ group: [Divergence]) -> [String] {
    guard let first = group.first else { return [] }
    let cause = first.cause.map { ", sent by \($0.words)" } ?? ""
    let label = first.label.isEmpty ? "" : "  \(first.label)"
    var lines = ["step \(grouped(first.step))\(label)\(cause): \(first.kind.words)"]
    let isTwice = first.kind == .nondeterministic
    var rows = group.flatMap(Self.rows)
    if !rows.isEmpty {
      rows.insert(
        ("", isTwice ? "first run" : "recorded", isTwice ? "second run" : "re-run"), at: 0)
    }
    let paths = rows.map(\.0.count).max() ?? 0
    let lefts = rows.map(\.1.count).max() ?? 0
    for (path, left, right) in rows {
      let margin = paths == 0 ? "" : path.padded(to: paths) + "  "
      lines.append("  \(margin)\(left.padded(to: lefts))  \(right)")
    }
    if let hint = first.hint { lines.append("  (\(hint))") }
    return lines
  }

  /// The path and the two columns. Effects and reads are word lists: one a row.
  private static func rows(_ divergence: Divergence) -> [(String, String, String)] {
    let (recorded, rerun) = (divergence.recorded, divergence.rerun)
    if recorded == nil, rerun == nil { return [] }
    let isList: Set<Divergence.Kind> = [.effect, .read, .unusedRead, .missingRead]
    guard divergence.path.isRoot, isList.contains(divergence.kind),
      let left = words(recorded ?? []), let right = words(rerun ?? [])
    else { return [("\(divergence.path)", cell(recorded), cell(rerun))] }
    // Common entries come first, side by side, unless only the order differs.
    let both = left.sorted() == right.sorted() ? [] : left.filter(right.contains)
    let lefts = both + left.filter { !both.contains($0) }
    let rights = both + right.filter { !both.contains($0) }
    return (0..<max(lefts.count, rights.count)).map { index in
      ("", index < lefts.count ? lefts[index] : "—", index < rights.count ? rights[index] : "—")
    }
  }

  private static func words(_ value: Value) -> [String]? {
    guard case .array(let array) = value else { return nil }
    let words = array.compactMap(\.string)
    return words.count == array.count ? words : nil
  }

  private static func cell(_ value: Value?) -> String {
    guard let value else { return "—" }
    let text = value.text()
    return text.count > 60 ? text.prefix(59) + "…" : text
  }

  private var uncheckedLines: [String] {
    [("Steps that did not run again:", false), ("Places that were not compared:", true)].flatMap {
      title, isRedacted in
      let steps = unchecked.filter { $0.isRedacted == isRedacted }
      return steps.isEmpty ? [] : Self.list(title, steps) { "\(named($0.steps)): \($0.reason)" }
    }
  }

  private var undecodableLines: [String] {
    Self.list(
      "Actions that cannot be decoded; the recorded state is used there:", undecodable
    ) { "step \(grouped($0.step))  \($0.label): \($0.reason)" }
  }

  private static func list<Entry>(
    _ title: String, _ entries: [Entry], _ words: (Entry) -> String
  ) -> [String] {
    let rest = entries.dropFirst(5).count
    return [title] + entries.prefix(5).map { "  \(words($0))" }
      + (rest > 0 ? ["  and \(grouped(rest)) more"] : [])
  }
}

extension UnfinishedStep {
  /// Nil if a divergence says it.
  fileprivate var sentence: String? {
    let name = "Step \(grouped(step))\(label.isEmpty ? "" : " (\(label))")"
    return switch endsNow {
    case true?: "\(name) began and never ended when it was recorded; run again, it ends."
    case false?: nil
    case nil: "\(name) began and never ended when it was recorded; it was not run again."
    }
  }
}

extension Divergence.Kind {
  fileprivate var words: String {
    self == .nondeterministic ? "the reducer is nondeterministic" : rawValue
  }
}

extension Cause {
  fileprivate var words: String {
    switch self {
    case .user: "the user"
    case .outside(let name): name ?? "a source outside the app"
    case .unknown: "an unknown sender"
    case .effect(let effect): effect.words
    case .output(let step): "the reducer at step \(grouped(step))"
    }
  }
}

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
