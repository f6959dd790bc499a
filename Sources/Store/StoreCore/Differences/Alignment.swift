import Platform

struct Alignment {
  enum Step: Equatable {
    case same(count: Int)
    case changed(expected: Int, actual: Int)
    case removed(Int)
    case inserted(Int)
  }

  private(set) var steps: [Step] = []

  struct Question {
    var expectedCount: Int
    var actualCount: Int
    var isSame: (_ expected: Int, _ actual: Int) -> Bool
    /// The identities of these elements; nil if they have none.
    var ids: ((_ expected: Range<Int>, _ actual: Range<Int>) -> ([AnyHashable], [AnyHashable]))?
  }

  init(_ question: Question) {
    let shorter = min(question.expectedCount, question.actualCount)
    var start = 0
    while start < shorter, question.isSame(start, start) { start += 1 }
    var end = 0
    while end < shorter - start,
      question.isSame(question.expectedCount - 1 - end, question.actualCount - 1 - end)
    { end += 1 }
    let expected = start..<question.expectedCount - end
    let actual = start..<question.actualCount - end

    addSame(start)
    if !expected.isEmpty || !actual.isEmpty {
      alignMiddle(question, expected, actual)
    }
    addSame(end)
  }

  private mutating func addSame(_ count: Int) {
    guard count > 0 else { return }
    if case .same(let before) = steps.last {
      steps[steps.count - 1] = .same(count: before + count)
    } else {
      steps.append(.same(count: count))
    }
  }

  private mutating func alignMiddle(
    _ question: Question, _ expected: Range<Int>, _ actual: Range<Int>
  ) {
    let pairs: [(Int, Int)]
    if let matched = Self.matchByID(question, expected, actual) {
      pairs = matched
    } else if expected.count * actual.count <= 250_000, expected.count != 1 || actual.count != 1 {
      let found = commonOrder(expected.count, actual.count, limit: 2_000) { left, right in
        question.isSame(expected.lowerBound + left, actual.lowerBound + right)
      }
      pairs = (found ?? []).map { (expected.lowerBound + $0.old, actual.lowerBound + $0.new) }
    } else {
      pairs = zip(expected, actual).filter { question.isSame($0, $1) }
    }
    var (left, right) = (expected.lowerBound, actual.lowerBound)
    for (matchedLeft, matchedRight) in pairs + [(expected.upperBound, actual.upperBound)] {
      addGap(left..<matchedLeft, right..<matchedRight, pairsUp: question.ids == nil)
      guard matchedLeft < expected.upperBound else { break }
      if question.isSame(matchedLeft, matchedRight) {
        addSame(1)
      } else {
        steps.append(.changed(expected: matchedLeft, actual: matchedRight))
      }
      (left, right) = (matchedLeft + 1, matchedRight + 1)
    }
  }

  /// Elements without a partner. Without identities, elements at the same place count as one that
  /// changed.
  private mutating func addGap(_ expected: Range<Int>, _ actual: Range<Int>, pairsUp: Bool) {
    let common = pairsUp ? min(expected.count, actual.count) : 0
    for offset in 0..<common {
      steps.append(
        .changed(expected: expected.lowerBound + offset, actual: actual.lowerBound + offset))
    }
    steps += expected.dropFirst(common).map(Step.removed)
    steps += actual.dropFirst(common).map(Step.inserted)
  }

  /// Pairs with the same identity in the same order; moved ones are left out. Nil unless identities
  /// are unique.
  private static func matchByID(
    _ question: Question, _ expected: Range<Int>, _ actual: Range<Int>
  ) -> [(Int, Int)]? {
    guard let (expectedIDs, actualIDs) = question.ids?(expected, actual) else { return nil }
    var places: [AnyHashable: Int] = [:]
    for (place, id) in zip(actual, actualIDs) where places.updateValue(place, forKey: id) != nil {
      return nil
    }
    guard Set(expectedIDs).count == expectedIDs.count else { return nil }
    let pairs = zip(expected, expectedIDs).compactMap { place, id in
      places[id].map { (place, $0) }
    }
    return ascendingRun(in: pairs.map(\.1)).map { pairs[$0] }
  }
}
