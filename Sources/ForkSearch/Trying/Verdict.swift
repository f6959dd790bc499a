import SessionWords
import TimeTravel
import ValueTree

/// What a search is about: what has to happen in a session for it to show the problem.
package enum Goal: Sendable, Hashable {
  /// A condition holds after a step.
  case holds(StepQuestion)
  /// The reducer ends its process, or throws, with these last words.
  case crash(words: String)
  /// A place of the state has this value in the end; nil where there is nothing.
  case ends(Pointer, with: Value?)
  /// Today's reducer takes a step otherwise than it was recorded.
  case differs(DifferentStep)

  /// The step as it was recorded, where it is the one that differs: so it is written into a session.
  package func asRecorded(_ told: BranchStep) -> BranchStep {
    guard case .differs(let different) = self, told.descendsFrom == different.step else {
      return told
    }
    var recorded = told
    recorded.patch = different.recorded.value
    return recorded
  }
}

/// What came of running a script.
package struct Verdict: Sendable, Hashable {
  package enum Answer: Sendable, Hashable {
    case happens
    case doesNot
    /// Something else went wrong: never taken for what is searched.
    case otherFailure(String)
  }

  package var answer: Answer
  /// The branch's step that says so: the one where it happens, else the last one.
  package var step: Int
  /// What the answer rests on.
  package var values: Standing.Values
  package var assumptions: [Assumption]
  /// The state at that step, as long as it is not kept.
  package var state: Value?

  package init(
    _ answer: Answer, step: Int = 0, values: Standing.Values = .recorded,
    assumptions: [Assumption] = []
  ) {
    self.answer = answer
    self.step = step
    self.values = values
    self.assumptions = assumptions
  }

  package var happens: Bool { answer == .happens }
  /// How much memory it takes, about, the state left out.
  var bytes: Int {
    let words = if case .otherFailure(let words) = answer { words.utf8.count } else { 0 }
    return assumptions.reduce(MemoryLayout<Self>.stride + words) {
      $0 + MemoryLayout<Assumption>.stride + $1.sentence.utf8.count
    }
  }
  /// Whether the app, run live, does exactly this.
  package var isKnown: Bool { values.areKnown }
}
