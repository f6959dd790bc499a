import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct WatchSeries: Sendable, Equatable {
  /// A value from a step on, as a small number of bytes.
  private struct Change: Equatable {
    var step: Int32
    var kind: UInt8
    var number: Double

    /// Half of the number, finite, so that every difference is, too. Nil if the value is missing.
    var half: Double? {
      let most = Double.greatestFiniteMagnitude / 2
      return kind == 0 ? nil : min(max(number / 2, -most), most)
    }
  }

  /// The lowest and the highest of some values.
  private struct Extremes: Equatable {
    var low = Double.infinity
    var high = -Double.infinity

    mutating func add(_ number: Double?) {
      guard let number else { return }
      (low, high) = (min(low, number), max(high, number))
    }

    mutating func add(_ other: Extremes) {
      (low, high) = (min(low, other.low), max(high, other.high))
    }
  }

  private struct Part: Equatable {
    static let length = 64
    private(set) var changes: [Change] = []
    /// The last step that was read.
    var last = Int.min
    /// The extremes of every 64 changes, so that a column of many steps takes little time.
    private var blocks: [Extremes] = []

    mutating func add(_ change: Change) {
      if changes.count.isMultiple(of: Self.length) { blocks.append(Extremes()) }
      changes.append(change)
      blocks[blocks.count - 1].add(change.half)
    }

    func extremes(_ range: ClosedRange<Int>) -> Extremes {
      var extremes = Extremes()
      var index = range.lowerBound
      while index <= range.upperBound {
        if index.isMultiple(of: Self.length), index + Self.length - 1 <= range.upperBound {
          extremes.add(blocks[index / Self.length])
          index += Self.length
        } else {
          extremes.add(changes[index].half)
          index += 1
        }
      }
      return extremes
    }
  }

  struct ID: Sendable, Hashable {
    let path: ValuePath
    let branch: BranchID
  }

  let id: ID
  let run: Int
  private(set) var steps: ClosedRange<Int>
  var isRunning = true
  /// Searched from here to the end, then from the beginning.
  private let start: Int
  private var ahead = Part()
  private var behind = Part()
  private var texts: [String] = []
  private var textNumbers: [String: Int] = [:]
  private var extremes = Extremes()

  init(_ path: ValuePath, of branch: Branch, from start: Int) {
    id = ID(path: path, branch: branch.id)
    run = branch.run
    steps = branch.steps
    self.start = min(max(start, branch.steps.lowerBound), branch.steps.upperBound)
  }

  var path: ValuePath { id.path }
  var branch: BranchID { id.branch }
  var parts: [ClosedRange<Int>] { steps.parts(from: start) }
  var hasTexts: Bool { !texts.isEmpty }

  /// The lowest and the highest of all values.
  var scale: ClosedRange<Double>? {
    extremes.low <= extremes.high ? extremes.low...extremes.high : nil
  }

  mutating func grow(to last: Int) { steps = steps.lowerBound...max(last, steps.upperBound) }

  mutating func add(_ batch: WatchBatch) {
    let part = batch.steps.lowerBound >= start ? \Self.ahead : \.behind
    self[keyPath: part].last = batch.steps.upperBound
    for (step, value) in batch.values {
      let (kind, number) = code(value)
      let change = Change(step: Int32(truncatingIfNeeded: step), kind: kind, number: number)
      extremes.add(change.half)
      let last = self[keyPath: part].changes.last
      if last?.kind == kind, last?.number == number { continue }
      self[keyPath: part].add(change)
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

  private func changes(near step: Int) -> [Change] { part(of: step).changes }

  private func part(of step: Int) -> Part { step >= start ? ahead : behind }

  private func index(at step: Int) -> Int? {
    guard step <= part(of: step).last else { return nil }
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
    guard step >= start, !isRunning, start > steps.lowerBound, let before = behind.changes.last
    else {
      return nil
    }
    let first = ahead.changes[0]
    guard before.kind == first.kind, before.number == first.number else { return start }
    return behind.changes.count > 1 ? Int(before.step) : nil
  }

  func changed(at step: Int) -> Bool { lastChange(at: step) == step }

  /// The lowest and the highest value in a range of steps, from 0 to 1 on a scale, by default its
  /// own. Nil if unknown or missing.
  func levels(
    in range: Range<Int>, on scale: ClosedRange<Double>? = nil
  ) -> ClosedRange<Double>? {
    guard !range.isEmpty, let scale = scale ?? self.scale,
      let first = index(at: range.lowerBound)
    else { return nil }
    let part = part(of: range.lowerBound)
    let end = part.changes.indices.firstBehind { Int(part.changes[$0].step) < range.upperBound }
    let own = part.extremes(first...max(first, end - 1))
    guard own.low <= own.high else { return nil }
    let height = scale.upperBound - scale.lowerBound
    guard height > 0 else { return 0.5...0.5 }
    return (own.low - scale.lowerBound) / height...(own.high - scale.lowerBound) / height
  }
}

extension WatchedValue {
  func words(in width: Int) -> String {
    switch self {
    case .nothing: "–"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): Number(number).text(in: width) ?? "…"
    case .text(let text): SafeText.truncated(text, to: width)
    case .parts(let count): "[\(count)]"
    }
  }
}
