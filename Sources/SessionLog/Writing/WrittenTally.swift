/// What a file of a session holds by now, so that it can be said what is gone when the file is not as
/// it was written.
struct WrittenTally {
  private var marks: [Mark]
  /// Marks are set at least so far apart; each thinning doubles it.
  private var distance = 0
  private var last: Mark

  private struct Mark {
    /// Up to here the file has them.
    var end: Int
    var steps = 0
    var lines = 0
    var lastStep: Int
  }

  private static let mostMarks = 1_024

  /// Of a file that holds a header only.
  init(header size: Int, firstStep: Int) {
    last = Mark(end: size, lastStep: firstStep)
    marks = [last]
  }

  /// Counts what was just written.
  mutating func add(steps: Int, lines: Int, lastStep: Int, end: Int) {
    last = Mark(
      end: end, steps: last.steps + steps, lines: last.lines + lines, lastStep: lastStep)
    guard end - (marks.last?.end ?? 0) >= distance else { return }
    marks.append(last)
    guard marks.count > Self.mostMarks else { return }
    distance = max(1, distance, (end - marks[0].end) / Self.mostMarks) * 2
    marks = marks.indices.filter { $0.isMultiple(of: 2) }.map { marks[$0] }
  }

  /// What is gone of a file of which only so many bytes are left: at least that, and no more than
  /// was written between two marks besides.
  func gone(behind size: Int) -> Gone {
    let left = marks.last { $0.end <= size }
    return Gone(
      steps: last.steps - (left?.steps ?? 0), lines: last.lines - (left?.lines ?? 0),
      firstStep: (left ?? marks[0]).lastStep + 1)
  }

  struct Gone {
    var steps: Int
    /// Lines between steps.
    var lines: Int
    /// The first of the steps, where there are any.
    var firstStep: Int
  }
}
