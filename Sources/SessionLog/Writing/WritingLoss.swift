/// The steps that are missing since a write failed. It is tried again after 1, 2, 4 … 1,024 steps.
struct WritingLoss {
  let first: Int
  var last: Int
  let reason: String
  private var pause = 0
  private var untilNextTry = 0

  init(first: Int, last: Int, reason: String) {
    self.first = first
    self.last = last
    self.reason = reason
  }

  /// False when only lines between steps are missing.
  var hasSteps: Bool { first <= last }

  mutating func isTimeToTry() -> Bool {
    guard untilNextTry == 0 else {
      untilNextTry -= 1
      return false
    }
    pause = min(1024, max(1, pause * 2))
    untilNextTry = pause
    return true
  }
}
