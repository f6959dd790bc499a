import Platform
import SessionWords
import TimeTravel

struct Search: Sendable, Equatable {
  enum Question: Sendable, Hashable {
    case text(String)
    case condition(StepQuestion)
    case errors

    var text: String {
      switch self {
      case .text(let text): "/\(text)"
      case .condition(let question): ";\(question.condition.text)"
      case .errors: "errors"
      }
    }
  }

  /// In longer branches errors are looked for when you ask.
  static let mostUnasked = 20_000

  let question: Question
  let branch: BranchID
  let run: Int
  private(set) var steps: ClosedRange<Int>
  var isRunning = true
  private(set) var goesOn = false
  /// Whether it started unasked: then it stays silent and needs no stopping.
  var isSilent = false
  var searched = 0
  var total = 0
  /// Ascending.
  private var hits: [Int] = []
  private(set) var unknown: [Int] = []
  let start: Int
  var waiting: Direction?
  /// These words follow the name of the broken rule, once a step has told it.
  var wordsOfName: String?
  var failure: String?
  /// Whether its end says if the fork, which ran again, still has the bug.
  var tellsOutcome = false

  enum Direction: Sendable, Hashable {
    case forward, backward
  }

  /// Searches from one step to the end, then the steps before it.
  init(
    _ question: Question, in branch: Branch, from start: Int, toward direction: Direction? = nil,
    isSilent: Bool = false
  ) {
    self.question = question
    self.isSilent = isSilent
    waiting = direction
    (self.branch, run) = (branch.id, branch.run)
    steps = branch.steps
    self.start = start
  }

  /// Whether it ended before the branch's current end. Stopped and failed searches stay as they
  /// are.
  func canGoOn(to branch: Branch) -> Bool {
    !isRunning && failure == nil && searched >= total && self.branch == branch.id
      && steps.lowerBound == branch.steps.lowerBound && steps.upperBound < branch.steps.upperBound
  }

  /// Continues with newer steps and returns the first. The last step may have changed, and a
  /// condition about later steps may match anywhere.
  mutating func goOn(to new: ClosedRange<Int>) -> Int {
    var first = steps.upperBound
    if case .condition(let question) = self.question,
      question.condition.neighbours.contains(where: { $0.direction != .before })
    {
      first = new.lowerBound
    }
    hits.removeSubrange(count(before: first)...)
    unknown.removeAll { $0 >= first }
    (steps, isRunning, goesOn) = (new, true, true)
    return first
  }

  var count: Int { hits.count }

  mutating func add(_ batch: SearchBatch) {
    if let first = batch.hits.first {
      hits.insert(contentsOf: batch.hits, at: count(before: first))
    }
    unknown += batch.unknown
    searched = batch.searched
    total = batch.total
  }

  private func count(before step: Int) -> Int { hits.indices.firstBehind { hits[$0] < step } }

  func isHit(_ step: Int) -> Bool { hasHit(in: step..<step + 1) }

  /// Whether each of these steps is one.
  func isHit(throughout steps: ClosedRange<Int>) -> Bool {
    count(before: steps.upperBound + 1) - count(before: steps.lowerBound) == steps.count
  }

  func hasHit(in steps: Range<Int>) -> Bool {
    count(before: steps.lowerBound) < count(before: steps.upperBound)
  }

  func number(of step: Int) -> Int? {
    isRunning || !isHit(step) ? nil : count(before: step) + 1
  }

  func hit(_ direction: Direction, of step: Int) -> (step: Int, wrapped: Bool)? {
    let isForward = direction == .forward
    let index = isForward ? count(before: step + 1) : count(before: step) - 1
    let wraps = !hits.indices.contains(index)
    return (wraps ? isForward ? hits.first : hits.last : hits[index]).map { ($0, wraps) }
  }

  /// Whether the search has passed everything that could come next in this direction.
  func knows(_ direction: Direction, of step: Int, in steps: ClosedRange<Int>) -> Bool {
    if !isRunning { return true }
    guard let hit = hit(direction, of: step), !hit.wrapped else { return false }
    // Before it wraps, a search knows the steps from its start to here.
    let reached = min(start + searched, steps.upperBound)
    switch direction {
    case .forward: return step < start || hit.step <= reached
    case .backward: return hit.step >= start && step <= reached
    }
  }
}
