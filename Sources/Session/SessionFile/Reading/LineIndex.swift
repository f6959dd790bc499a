import Platform
import SessionWords

/// The offsets of a session's lines: eight bytes each, with facts from their first bytes.
struct LineIndex: Sendable {
  let firstStep: Int
  private(set) var steps = ChunkedList()
  private(set) var others = ChunkedList()
  private(set) var facts = Facts()
  /// With the offset of the line, and its number in its part.
  private(set) var findings: [(finding: Notice.Finding, offset: Int, line: Int)] = []
  /// The unreadable lines without a step. The last one also counts those that are not listed.
  private(set) var lostLines: [LostLine] = []
  private var begun: [(number: Int, offset: Int)] = []
  private var begunEntries = 0
  private var absentSteps = 0
  /// In place, no line tells the first step.
  private(set) var isInPlace = false
  /// The text of the last known state, if lines repeat it.
  var lastState: [UInt8]?
  private var unmarkedStates = UnmarkedStates()
  private(set) var unlistedFindings = 0

  /// The most entries, in all 192 MB.
  static let mostEntries = 3 << 23
  /// Fewer in a test.
  var most = mostEntries
  private var isRearFull = false

  /// Whether another line may be added.
  var hasRoom: Bool {
    !isRearFull && steps.count + others.count + facts.remarks.count < most
  }

  /// A longer line is not read: its values would take several times as much memory.
  static let longestLine = 80 << 20

  /// The most listed findings: damage must not fill the memory.
  private static let listedFindings = 100
  private static let openBegins = 1_000

  struct LostLine: Sendable {
    var offset: Int
    var count = 1
    /// It is an object, so that a trim takes it along.
    var isWhole = false
  }

  init(of line: HeaderLine) {
    firstStep = line.header.firstStep
    let hasState = line.header.state != nil
    steps.append(
      StepEntry(offset: 0, isKeyframe: hasState, isAbsent: line.isLost && !hasState).bits)
    // Without a first state, the first whole one counts, even if its line does not announce it.
    if !hasState || line.isLost { unmarkedStates.loseTrack() }
    guard line.isLost else { return }
    if line.end > 0, !hasState { addOther(0, .unknown) }
    if line.end == 0 { facts.lineCount = 0 }
    if !hasState { absentSteps = 1 }
  }

  /// For a file that is read in place: its first line may be a step.
  static var inPlace: LineIndex {
    var index = LineIndex(
      of: HeaderLine(header: SessionHeader(), end: 0, notices: [], isLost: true))
    index.isInPlace = true
    return index
  }

  init?(
    firstStep: Int, steps: ChunkedList, others: ChunkedList, facts: Facts, end: Int,
    isInPlace: Bool = false
  ) {
    guard !steps.isEmpty, steps[0] >> 3 == 0, steps.count + others.count <= Self.mostEntries,
      steps.ascends(from: isInPlace ? 1 : 0, below: end), others.ascends(below: end)
    else { return nil }
    self.firstStep = firstStep
    self.steps = steps
    self.others = others
    self.facts = facts
    self.isInPlace = isInPlace
    absentSteps = isInPlace ? 1 : 0
  }

  struct Facts {
    var lineCount = 1
    var unknownLines = 0
    var firstUnknownLine: Int?
    /// The offsets of `tape`, `end` and `lost` lines, which are few and read at once.
    var remarks: [Int] = []
  }

  var lineCount: Int { facts.lineCount }

  var isInOrder: Bool {
    findings.isEmpty && absentSteps == (isInPlace ? 1 : 0) && begun.isEmpty
  }

  var lastStep: Int { firstStep + steps.count - 1 }
  var lastWholeStep: Int { lastStep - begunEntries }
  var stepRange: ClosedRange<Int> { firstStep...lastStep }

  func entry(of step: Int) -> StepEntry { StepEntry(bits: steps[step - firstStep]) }

  /// The nearest earlier step with a whole state; nil if too far.
  func keyframe(before step: Int) -> Int? {
    (max(firstStep + 1, step - 1_024)..<max(firstStep + 1, step)).last { entry(of: $0).isKeyframe }
  }

  func others(from start: Int, to end: Int) -> Range<Int> {
    let low = others.firstIndex(notBelow: UInt64(start) << 3)
    return low..<max(low, others.firstIndex(notBelow: UInt64(end) << 3))
  }

  /// Counts a line, and gives its offset in all parts.
  mutating func begin(_ line: LineScanner.Line, in part: PartList.Part) -> Int {
    facts.lineCount += 1
    let offset = part.base + line.offset
    if line.zeroBytes > 0 { loseLine(.zeroBytes(count: line.zeroBytes), at: offset) }
    return offset
  }

  mutating func add(_ line: LineScanner.Line, in part: PartList.Part) {
    let offset = begin(line, in: part)
    guard let first = line.bytes.first else { return addOther(offset, .unknown) }
    let head = LineHead(UnsafeBufferPointer(rebasing: line.bytes.prefix(LineHead.length)))
    let isClosed = line.isClosed(in: part.file)
    guard line.length <= Self.longestLine else {
      unmarkedStates.loseTrack()
      return addDamage("it has more than \(Self.longestLine >> 20) MB", at: offset)
    }
    guard isClosed, first == UInt8(ascii: "{") else {
      unmarkedStates.loseTrack()
      return addDamage(
        isClosed ? "it does not begin with {" : "it does not end with }", at: offset)
    }
    switch (head.kind, head.number) {
    case (.step, let number?):
      if number > lastWholeStep + 1 { unmarkedStates.loseTrack() }
      let isKeyframe = unmarkedStates.isKeyframe(line, head, in: part.file)
      addStep(number, StepEntry(offset: offset, isKeyframe: isKeyframe))
    case (.begin, let number?):
      addOther(offset, .begin)
      if begun.count < Self.openBegins { begun.append((number, offset)) }
    case (.step, nil), (.begin, nil):
      addDamage("its step number is not 0 or more", at: offset)
    case (let kind, _):
      addOther(offset, kind)
      if kind == .remark || kind == .tape { facts.remarks.append(offset) }
      if kind == .unknown {
        facts.unknownLines += 1
        facts.firstUnknownLine = facts.firstUnknownLine ?? offset
      }
    }
  }

  private mutating func addStep(_ number: Int, _ entry: StepEntry) {
    removeBegunEntries()
    let expected = lastStep + 1
    guard number >= expected,
      number - expected <= steps.count + others.count - 2 * absentSteps + 65_536,
      number - expected <= most - steps.count
    else {
      addOther(entry.offset, .unknown)
      lose(LostLine(offset: entry.offset, isWhole: true))
      return report(.outOfOrder(step: number, after: lastStep), at: entry.offset)
    }
    if number > expected {
      report(.missingSteps(expected...number - 1), at: entry.offset)
      absentSteps += number - expected
      for _ in expected..<number {
        steps.append(StepEntry(offset: entry.offset, isAbsent: true).bits)
      }
    }
    steps.append(entry.bits)
    if !begun.isEmpty { begun.removeAll { $0.number <= number } }
  }

  mutating func addRecordedStep(_ entry: StepEntry) {
    steps.append(entry.bits)
    if entry.isAbsent { absentSteps += 1 }
  }

  /// Adds a lost step of which another line tells the state. False if it has a line, or is too far.
  mutating func makeAbsent(_ step: Int, at offset: Int) -> Bool {
    if step > lastStep, step - lastStep <= 65_536 {
      removeBegunEntries()
      while lastStep < step { addRecordedStep(StepEntry(offset: offset, isAbsent: true)) }
    }
    return stepRange.contains(step) && entry(of: step).isAbsent
  }

  /// Adds the lines of an index that was made alone, behind those known here.
  mutating func addRecords(of rear: LineIndex) {
    for step in rear.steps.dropFirst() { steps.append(step) }
    for other in rear.others { others.append(other) }
    for (finding, offset, line) in rear.findings {
      report(finding, at: offset, line: facts.lineCount + line)
    }
    unlistedFindings += rear.unlistedFindings
    isRearFull = !rear.hasRoom
    rear.lostLines.forEach { lose($0) }
    facts.lineCount += rear.facts.lineCount
  }

  mutating func addOther(_ offset: Int, _ kind: LineKind) {
    others.append(OtherEntry(offset: offset, kind: kind).bits)
  }

  mutating func addDamage(_ reason: String, at offset: Int) {
    addOther(offset, .unknown)
    loseLine(.badLine(reason: reason), at: offset)
  }

  private mutating func loseLine(_ finding: Notice.Finding, at offset: Int) {
    lose(LostLine(offset: offset))
    report(finding, at: offset)
  }

  private mutating func lose(_ line: LostLine) {
    if lostLines.count < Self.openBegins {
      lostLines.append(line)
    } else {
      lostLines[lostLines.count - 1].count += line.count
    }
  }

  /// A line whose first bytes promised more than it holds.
  mutating func loseRemark(at offset: Int) {
    guard !lostLines.contains(where: { $0.offset == offset }) else { return }
    lose(LostLine(offset: offset, isWhole: true))
    lostLines.sort { $0.offset < $1.offset }
  }

  mutating func report(_ finding: Notice.Finding, at offset: Int, line: Int? = nil) {
    guard findings.count < Self.listedFindings else { return unlistedFindings += 1 }
    findings.append((finding, offset, line ?? lineCount))
  }

  /// Whether scanning rejected the line.
  func hasSkipped(lineAt offset: Int) -> Bool {
    findings.contains {
      switch $0.finding {
      case .badLine, .outOfOrder: $0.offset == offset
      default: false
      }
    }
  }

  /// Makes steps of the remaining `begin` lines: the app stopped inside its reducer. Each follows
  /// the step before it, to keep file order.
  mutating func finishScan() {
    removeBegunEntries()
    for (number, offset) in begun
    where number == lastStep + 1 && offset > entry(of: lastStep).offset {
      steps.append(StepEntry(offset: offset, isBegun: true).bits)
      begunEntries += 1
    }
  }

  mutating func removeBegun(_ lost: ClosedRange<Int>, before offset: Int) {
    let isLost = { (step: (number: Int, offset: Int)) in
      step.offset < offset && lost.contains(step.number)
    }
    guard begun.contains(where: isLost) else { return }
    removeBegunEntries()
    begun.removeAll(where: isLost)
  }

  private mutating func removeBegunEntries() {
    for _ in 0..<begunEntries { steps.removeLast() }
    begunEntries = 0
  }

  func lineCount(before offset: Int) -> Int {
    let other = others.firstIndex(notBelow: UInt64(offset) << 3)
    let step = steps.firstIndex(notBelow: UInt64(offset) << 3)
    return other + step - entriesWithoutLine(before: step)
  }

  private func entriesWithoutLine(before index: Int) -> Int {
    guard absentSteps > 0 || begunEntries > 0 else { return 0 }
    return (0..<index).reduce(0) { count, index in
      let entry = StepEntry(bits: steps[index])
      return count + (entry.isAbsent || entry.isBegun ? 1 : 0)
    }
  }

  func nextLine(after offset: Int) -> Int? {
    let next = UInt64(offset + 1) << 3
    let other = others.firstIndex(notBelow: next)
    let step = steps.firstIndex(notBelow: next)
    return [
      other < others.count ? OtherEntry(bits: others[other]).offset : nil,
      step < steps.count ? StepEntry(bits: steps[step]).offset : nil,
    ].compactMap(\.self).min()
  }

  mutating func beginPart(headerAt offset: Int) {
    facts.lineCount = 1
    addOther(offset, .remark)
  }
}

/// A step's line: its offset and facts, in eight bytes.
struct StepEntry: Sendable {
  var bits: UInt64

  init(offset: Int, isKeyframe: Bool = false, isAbsent: Bool = false, isBegun: Bool = false) {
    bits =
      UInt64(offset) << 3 | (isKeyframe ? 1 : 0) | (isAbsent ? 2 : 0) | (isBegun ? 4 : 0)
  }

  init(bits: UInt64) { self.bits = bits }

  var offset: Int { Int(bits >> 3) }
  var isKeyframe: Bool { bits & 1 != 0 }
  /// Whether the step has no line; the offset is the next line's.
  var isAbsent: Bool { bits & 2 != 0 }
  var isBegun: Bool { bits & 4 != 0 }
  /// Whether the next line's state before its action is all that is known of the step.
  var isGap: Bool { bits & 3 == 3 }

  static func gap(before offset: Int) -> StepEntry {
    StepEntry(offset: offset, isKeyframe: true, isAbsent: true)
  }
}

/// Another line: its offset and kind, in eight bytes. A `step` here is a state that belongs to the
/// step before.
struct OtherEntry: Sendable {
  var bits: UInt64

  init(offset: Int, kind: LineKind) { bits = UInt64(offset) << 3 | UInt64(kind.rawValue) }
  init(bits: UInt64) { self.bits = bits }

  var offset: Int { Int(bits >> 3) }
  var kind: LineKind { LineKind(rawValue: UInt8(bits & 7)) ?? .unknown }
}

/// A list in chunks: at most one chunk of memory is unused, and copies share all but the last.
struct ChunkedList: Sendable, RandomAccessCollection {
  private static let shift = 15
  private static let size = 1 << shift
  private var chunks: [ContiguousArray<UInt64>] = []
  private(set) var count = 0

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> UInt64 {
    get { chunks[index >> Self.shift][index & (Self.size - 1)] }
    set { chunks[index >> Self.shift][index & (Self.size - 1)] = newValue }
  }

  mutating func append(_ element: UInt64) {
    if count & (Self.size - 1) == 0 {
      var chunk = ContiguousArray<UInt64>()
      chunk.reserveCapacity(Self.size)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  mutating func removeLast() {
    chunks[chunks.count - 1].removeLast()
    count -= 1
    if count & (Self.size - 1) == 0 { chunks.removeLast() }
  }

  func firstIndex(notBelow element: UInt64) -> Int {
    (0..<count).firstBehind { self[$0] < element }
  }
}
