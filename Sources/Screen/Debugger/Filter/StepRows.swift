import TimeTravel

/// The rows of the list: hidden steps have none, and a run of similar ones has one. Unknown steps
/// have their own.
struct StepRows: Sendable, Equatable {
  private let first: Int
  private(set) var steps: ClosedRange<Int>
  private var fits = BitRow()
  private var shown = BitRow()
  private var starts = BitRow()
  private var labels: [UInt16] = []
  /// By label and sign.
  private var names: [[String]: UInt16] = [:]
  private(set) var hidden = 0

  init(_ steps: ClosedRange<Int>, foldsRuns: Bool) {
    first = steps.lowerBound
    self.steps = steps
    shown.append(true, count: steps.count)
    starts.append(true, count: steps.count)
    fits.append(false, count: steps.count)
    if foldsRuns { labels = Array(repeating: 0, count: steps.count) }
  }

  /// A row for each step.
  init(plain steps: ClosedRange<Int>) { (first, self.steps) = (steps.lowerBound, steps) }

  private var isPlain: Bool { shown.count == 0 }

  mutating func grow(to last: Int) {
    let more = last - steps.upperBound
    guard more > 0 else { return }
    steps = first...last
    shown.append(true, count: more)
    starts.append(true, count: more)
    fits.append(false, count: more)
    if !labels.isEmpty { labels += Array(repeating: 0, count: more) }
  }

  mutating func add(_ batch: ScanBatch, hiding mode: StepFilter.Mode?) {
    for (index, run) in batch.runs.enumerated() {
      let isLast = index == batch.runs.count - 1
      let end = isLast ? batch.steps.upperBound : batch.runs[index + 1].first - 1
      let key = [run.label, run.sign]
      let name = names[key] ?? UInt16(truncatingIfNeeded: names.count % 65_534 + 1)
      names[key] = name
      for step in run.first...end { labels[step - first] = name }
    }
    for hit in batch.hits { fits[hit - first] = true }
    switch mode {
    case .only:
      for step in batch.steps where !fits[step - first] { hide(step) }
    case .hide: batch.hits.forEach { hide($0) }
    case .dim, nil: break
    }
    findStarts(batch.steps)
  }

  private mutating func hide(_ step: Int) {
    guard shown[step - first] else { return }
    shown[step - first] = false
    starts[step - first] = false
    hidden += 1
  }

  private mutating func findStarts(_ range: ClosedRange<Int>) {
    guard !labels.isEmpty else { return }
    var last = shown.last(before: range.lowerBound - first).map { labels[$0] } ?? 0
    let after = shown.first(after: range.upperBound - first)
    for index in range.lowerBound - first...(after ?? range.upperBound - first)
    where shown[index] {
      starts[index] = labels[index] == 0 || labels[index] != last
      last = labels[index]
    }
  }

  // MARK: Rows

  func isHidden(_ step: Int) -> Bool {
    !isPlain && steps.contains(step) && !shown[step - first]
  }

  func fits(_ step: Int) -> Bool { steps.contains(step) && fits[step - first] }

  func isAnyShown(in range: Range<Int>) -> Bool {
    guard !range.isEmpty, let next = shown.first(after: range.lowerBound - first - 1) else {
      return false
    }
    return next + first < range.upperBound
  }

  func row(of step: Int) -> Int {
    guard steps.contains(step), shown[step - first], !starts[step - first] else { return step }
    return starts.last(before: step - first).map { $0 + first } ?? step
  }

  func length(ofRow step: Int) -> Int {
    guard steps.contains(step), shown[step - first] else { return 1 }
    let end = starts.first(after: step - first) ?? steps.count
    return max(1, shown.count(in: step - first..<end))
  }

  /// The last step in the row.
  func last(ofRow step: Int) -> Int {
    guard !isPlain, steps.contains(step), shown[step - first] else { return step }
    let end = starts.first(after: step - first) ?? steps.count
    return shown.last(before: end).map { $0 + first } ?? step
  }

  /// The row this many rows later, at most the last. A hidden current step has a row.
  func row(_ step: Int, by rows: Int) -> Int {
    if isPlain { return min(max(step + rows, steps.lowerBound), steps.upperBound) }
    var index = row(of: step) - first
    for _ in 0..<min(abs(rows), steps.count) {
      guard let next = rows > 0 ? starts.first(after: index) : starts.last(before: index) else {
        break
      }
      index = next
    }
    return index + first
  }

  func count(from start: Int, to end: Int) -> Int {
    if isPlain { return max(0, end - start) }
    return start < end ? starts.count(in: max(0, start - first)..<min(end - first, steps.count)) : 0
  }
}

/// A set of numbers that finds the next one 64 at a time.
struct BitRow: Sendable, Equatable {
  private var words: [UInt64] = []
  private(set) var count = 0

  mutating func append(_ bit: Bool, count more: Int) {
    let old = count
    count += more
    words += Array(repeating: bit ? .max : 0, count: (count + 63) / 64 - words.count)
    for index in old..<min(count, (old + 63) / 64 * 64) { self[index] = bit }
    for index in count..<words.count * 64 { set(index, false) }
  }

  subscript(index: Int) -> Bool {
    get { index >= 0 && index < count && words[index >> 6] >> UInt64(index & 63) & 1 == 1 }
    set { set(index, newValue) }
  }

  private mutating func set(_ index: Int, _ bit: Bool) {
    let mask: UInt64 = 1 << UInt64(index & 63)
    if bit { words[index >> 6] |= mask } else { words[index >> 6] &= ~mask }
  }

  func first(after index: Int) -> Int? {
    let start = max(index + 1, 0)
    guard start < count else { return nil }
    var place = start >> 6
    var word = words[place] & (.max << UInt64(start & 63))
    while word == 0 {
      place += 1
      guard place < words.count else { return nil }
      word = words[place]
    }
    return place << 6 + word.trailingZeroBitCount
  }

  func last(before index: Int) -> Int? {
    let end = min(index, count) - 1
    guard end >= 0 else { return nil }
    var place = end >> 6
    var word = words[place] & (.max >> UInt64(63 - (end & 63)))
    while word == 0 {
      place -= 1
      guard place >= 0 else { return nil }
      word = words[place]
    }
    return place << 6 + 63 - word.leadingZeroBitCount
  }

  func count(in range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    let (low, high) = (range.lowerBound >> 6, (range.upperBound - 1) >> 6)
    let head = UInt64.max << UInt64(range.lowerBound & 63)
    let tail = UInt64.max >> UInt64(63 - ((range.upperBound - 1) & 63))
    if low == high { return (words[low] & head & tail).nonzeroBitCount }
    let middle = words[(low + 1)..<high].reduce(0) { $0 + $1.nonzeroBitCount }
    return middle + (words[low] & head).nonzeroBitCount + (words[high] & tail).nonzeroBitCount
  }
}
