import Platform
import TimeTravel
import ValueTree

struct WatchSeries: Sendable, Equatable {
  private struct Line: Equatable {
    var steps: [Int32] = []
    var kinds: [UInt8] = []
    var numbers: [Double] = []

    func index(at step: Int) -> Int? {
      let behind = steps.indices.firstBehind { Int(steps[$0]) <= step }
      return behind > 0 ? behind - 1 : nil
    }
  }

  let path: ValuePath
  let number: Int
  let branch: String
  let run: Int
  private(set) var steps: ClosedRange<Int>
  var isRunning = true
  /// Searched from here to the end, then from the beginning.
  private let start: Int
  private var ahead = Line()
  private var behind = Line()
  private var texts: [String] = []
  private var textNumbers: [String: Int] = [:]
  private(set) var lowest = Double.infinity
  private(set) var highest = -Double.infinity

  init(_ path: ValuePath, number: Int, of branch: BranchSteps, from start: Int) {
    self.path = path
    self.number = number
    self.branch = branch.name
    run = branch.run
    steps = branch.steps
    self.start = min(max(start, branch.steps.lowerBound), branch.steps.upperBound)
  }

  var parts: [ClosedRange<Int>] {
    [start...steps.upperBound] + (start > steps.lowerBound ? [steps.lowerBound...start - 1] : [])
  }

  mutating func grow(to last: Int) { steps = steps.lowerBound...max(last, steps.upperBound) }

  mutating func add(_ batch: WatchBatch) {
    let isAhead = batch.steps.lowerBound >= start
    for (step, value) in batch.values {
      let (kind, number) = code(value)
      if kind != 0 {
        lowest = min(lowest, number)
        highest = max(highest, number)
      }
      if isAhead {
        Self.add(step, kind, number, to: &ahead)
      } else {
        Self.add(step, kind, number, to: &behind)
      }
    }
  }

  private static func add(_ step: Int, _ kind: UInt8, _ number: Double, to line: inout Line) {
    if line.kinds.last == kind, line.numbers.last == number { return }
    line.steps.append(Int32(truncatingIfNeeded: step))
    line.kinds.append(kind)
    line.numbers.append(number)
  }

  private mutating func code(_ value: WatchedValue) -> (UInt8, Double) {
    switch value {
    case .nothing: return (0, 0)
    case .bool(let bool): return (1, bool ? 1 : 0)
    case .number(let number): return (2, number)
    case .parts(let count): return (3, Double(count))
    case .text(let text):
      if let known = textNumbers[text] { return (4, Double(known)) }
      // With so many different texts the picture stops distinguishing them.
      guard texts.count < 10_000 else { return (4, 10_000) }
      textNumbers[text] = texts.count
      texts.append(text)
      return (4, Double(texts.count - 1))
    }
  }

  private func value(_ kind: UInt8, _ number: Double) -> WatchedValue {
    switch kind {
    case 1: .bool(number == 1)
    case 2: .number(number)
    case 3: .parts(Int(number))
    case 4: .text(texts.indices.contains(Int(number)) ? texts[Int(number)] : "…")
    default: .nothing
    }
  }

  // MARK: Asking

  private func line(of step: Int) -> Line { step >= start ? ahead : behind }

  func value(at step: Int) -> WatchedValue? {
    let line = line(of: step)
    return line.index(at: step).map { value(line.kinds[$0], line.numbers[$0]) }
  }

  /// The last change up to a step; nil if unchanged since the beginning, or unknown.
  func lastChange(at step: Int) -> Int? {
    let line = line(of: step)
    guard let index = line.index(at: step) else { return nil }
    if index > 0 || step < start { return index > 0 ? Int(line.steps[index]) : nil }
    // The first value of the first searched part may be older.
    guard !isRunning, start > steps.lowerBound, let before = behind.steps.indices.last else {
      return nil
    }
    let isSame =
      behind.kinds[before] == ahead.kinds[0] && behind.numbers[before] == ahead.numbers[0]
    return isSame ? (before > 0 ? Int(behind.steps[before]) : nil) : start
  }

  func changed(at step: Int) -> Bool { lastChange(at: step) == step }

  /// The height in a range of steps, from 0 to 1: the value farthest from the middle. Nil if
  /// unknown or missing.
  func level(in range: Range<Int>) -> Double? {
    let line = line(of: range.lowerBound)
    guard !range.isEmpty, let first = line.index(at: range.lowerBound), lowest <= highest else {
      return nil
    }
    let last = max(first, line.index(at: range.upperBound - 1) ?? first)
    // Of many changes in one cell a sample is enough.
    let stride = max(1, (last - first) / 64)
    let middle = (lowest + highest) / 2
    var found: Double?
    for index in Swift.stride(from: first, through: last, by: stride) where line.kinds[index] != 0 {
      let number = line.numbers[index]
      if found.map({ abs(number - middle) > abs($0 - middle) }) ?? true { found = number }
    }
    return found.map { highest > lowest ? ($0 - lowest) / (highest - lowest) : 0.5 }
  }
}

extension WatchedValue {
  var words: String {
    switch self {
    case .nothing: "–"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): ValuePreview.text(.number(Number(number)), limit: 12)
    case .text(let text): text
    case .parts(let count): "[\(count)]"
    }
  }
}
