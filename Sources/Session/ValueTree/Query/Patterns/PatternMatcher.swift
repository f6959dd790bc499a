/// Runs all branches of a pattern at once, so that no text makes it slow.
struct PatternMatcher {
  private let program: PatternProgram
  private var active: [Int] = []
  private var reached: [Int]
  private var waiting: [Int] = []
  private var turn = 0
  private var isAtStart = true
  private var isAtEnd = false

  init(_ program: PatternProgram) {
    self.program = program
    reached = Array(repeating: -1, count: program.instructions.count)
  }

  mutating func matches(
    _ text: some Collection<Unicode.Scalar>, whole: Bool, work: inout Int
  ) -> Bool {
    var rest = text.makeIterator()
    var next = rest.next()
    isAtEnd = next == nil
    var accepts = reach(0)
    while let scalar = next {
      if accepts, !whole { return true }
      work -= active.count + 1
      if work < 0 || (active.isEmpty && whole) { return false }
      next = rest.next()
      isAtStart = false
      isAtEnd = next == nil
      accepts = accept(scalar)
      if !whole, reach(0) { accepts = true }
    }
    return accepts
  }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    let before = active
    active.removeAll(keepingCapacity: true)
    turn += 1
    var accepts = false
    for place in before {
      guard case .scalar(let set) = program.instructions[place], set.contains(scalar) else {
        continue
      }
      if reach(place + 1) { accepts = true }
    }
    return accepts
  }

  private mutating func reach(_ place: Int) -> Bool {
    var accepts = false
    waiting.append(place)
    while let place = waiting.popLast() {
      guard reached[place] != turn else { continue }
      reached[place] = turn
      switch program.instructions[place] {
      case .scalar: active.append(place)
      case .jump(let target): waiting.append(target)
      case .either(let first, let second):
        waiting.append(second)
        waiting.append(first)
      case .start: if isAtStart { waiting.append(place + 1) }
      case .end: if isAtEnd { waiting.append(place + 1) }
      case .accept: accepts = true
      }
    }
    return accepts
  }
}
