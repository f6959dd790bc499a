import Platform
import TimeTravel
import ValueTree

struct WatchSeries: Sendable, Equatable {
  /// A value from a step on, as a small number of bytes.
  private struct Change: Equatable {
    var step: Int32
    var kind: UInt8
    var number: Double
  }

  let path: ValuePath
  let branch: String
  let run: Int
  private(set) var steps: ClosedRange<Int>
  var isRunning = true
  /// Searched from here to the end, then from the beginning.
  private let start: Int
  private var ahead: [Change] = []
  private var behind: [Change] = []
  private var texts: [String] = []
  private var textNumbers: [String: Int] = [:]
  private var lowest = Double.infinity
  private var highest = -Double.infinity

  init(_ path: ValuePath, of branch: Branch, from start: Int) {
    self.path = path
    self.branch = branch.name
    run = branch.run
    steps = branch.steps
    self.start = min(max(start, branch.steps.lowerBound), branch.steps.upperBound)
  }

  var parts: [ClosedRange<Int>] { steps.parts(from: start) }

  mutating func grow(to last: Int) { steps = steps.lowerBound...max(last, steps.upperBound) }

  mutating func add(_ batch: WatchBatch) {
    let isAhead = batch.steps.lowerBound >= start
    for (step, value) in batch.values {
      let (kind, number) = code(value)
      if kind != 0 {
        lowest = min(lowest, Self.half(number))
        highest = max(highest, Self.half(number))
      }
      let last = isAhead ? ahead.last : behind.last
      if last?.kind == kind, last?.number == number { continue }
      let change = Change(step: Int32(truncatingIfNeeded: step), kind: kind, number: number)
      if isAhead { ahead.append(change) } else { behind.append(change) }
    }
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

  private func value(of change: Change) -> WatchedValue {
    let number = change.number
    return switch change.kind {
    case 1: .bool(number == 1)
    case 2: .number(number)
    case 3: .parts(Int(number))
    case 4: .text(texts.indices.contains(Int(number)) ? texts[Int(number)] : "…")
    default: .nothing
    }
  }

  // MARK: Asking

  private func changes(near step: Int) -> [Change] { step >= start ? ahead : behind }

  private func index(at step: Int) -> Int? {
    let changes = changes(near: step)
    let behind = changes.indices.firstBehind { Int(changes[$0].step) <= step }
    return behind > 0 ? behind - 1 : nil
  }

  func value(at step: Int) -> WatchedValue? {
    index(at: step).map { value(of: changes(near: step)[$0]) }
  }

  /// The last change up to a step; nil if unchanged since the beginning, or unknown.
  func lastChange(at step: Int) -> Int? {
    guard let index = index(at: step) else { return nil }
    if index > 0 { return Int(changes(near: step)[index].step) }
    // The first value of the first searched part may be older.
    guard step >= start, !isRunning, start > steps.lowerBound, let before = behind.last else {
      return nil
    }
    guard before.kind == ahead[0].kind, before.number == ahead[0].number else { return start }
    return behind.count > 1 ? Int(before.step) : nil
  }

  /// Finite, so that every difference is, too.
  private static func half(_ number: Double) -> Double {
    let most = Double.greatestFiniteMagnitude / 2
    return min(max(number / 2, -most), most)
  }

  func changed(at step: Int) -> Bool { lastChange(at: step) == step }

  /// The height in a range of steps, from 0 to 1: the value farthest from the middle. Nil if
  /// unknown or missing.
  func level(in range: Range<Int>) -> Double? {
    guard !range.isEmpty, let first = index(at: range.lowerBound), lowest <= highest else {
      return nil
    }
    let changes = changes(near: range.lowerBound)
    let end = changes.indices.firstBehind { Int(changes[$0].step) < range.upperBound }
    let last = max(first, end - 1)
    // Of many changes in one cell a sample is enough.
    let stride = max(1, (last - first) / 64)
    let middle = (lowest + highest) / 2
    var found: Double?
    for change in Swift.stride(from: first, through: last, by: stride).lazy.map({ changes[$0] })
    where change.kind != 0 {
      let number = Self.half(change.number)
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
