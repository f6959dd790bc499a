import Platform
import SessionFile
import SessionWords
import ValueTree

/// A row of ``RecordShape`` for files with one record in each line.
struct RecordLines: LineFormat {
  private let shape: RecordShape
  private let keys: ScanPath
  private let roles: [Part]
  /// The members of the action that may be the label, best first.
  private let names: ScanPath
  private let actionMayBeLabel: Bool
  /// How most lines with an action begin.
  private let stepStart: [UInt8]
  let hasClock: Bool
  let arePatches: Bool

  private enum Part: Int { case action, before, after, label, otherLabel, time, error, note, lost }

  /// The values of a line's members. No array, because every line gets a glance.
  private struct Parts {
    private var starts = SIMD16<UInt32>()
    private var ends = SIMD16<UInt32>()

    subscript(part: Part) -> Range<Int>? {
      let end = Int(ends[part.rawValue])
      return end > 0 ? Int(starts[part.rawValue])..<end : nil
    }

    /// False for the second value of a part.
    mutating func store(_ value: Range<Int>, as part: Part) -> Bool {
      let isFirst = ends[part.rawValue] == 0
      starts[part.rawValue] = UInt32(truncatingIfNeeded: value.lowerBound)
      ends[part.rawValue] = UInt32(truncatingIfNeeded: value.upperBound)
      return isFirst
    }
  }

  /// For records that a document's index takes apart.
  init(of tool: String, arePatches: Bool) {
    self.init(
      checked: RecordShape(
        tool: tool, marks: [], after: "@state", labels: [["@label"]], time: (["@time"], .seconds)),
      arePatches: arePatches)
  }

  /// Nil if a step's record does not tell it alone.
  init?(_ shape: RecordShape, inList: Bool = false) {
    guard shape.list == nil || inList && shape.initial == nil, shape.final == nil,
      shape.order == nil, shape.only == nil,
      shape.action.count <= 1, !shape.isPatch
    else { return nil }
    if case .delayMilliseconds? = shape.time?.unit { return nil }
    self.init(checked: shape)
  }

  private init(checked shape: RecordShape, arePatches: Bool = false) {
    (self.shape, self.arePatches) = (shape, arePatches)
    hasClock = shape.time?.unit.isClock == true
    var named: [(String?, Part)] = [
      (shape.action.first, .action), (shape.before, .before), (shape.after, .after),
      ("dependency", .note), ("dependencySet", .note),
      ("@note", .note),
    ]
    if shape.needsAction { named.append(("lost", .lost)) }
    if !hasClock { named += (shape.time?.members ?? []).map { ($0, .time) } }
    if !shape.action.isEmpty { named.append(("error", .error)) }
    let outer = shape.labels.filter { $0.count == 1 && $0 != shape.action }.map { $0[0] }
    for (name, part) in zip(outer, [Part.label, .otherLabel]) { named.append((name, part)) }
    keys = ScanPath(named.compactMap(\.0))
    roles = named.filter { $0.0 != nil }.map(\.1)
    names = ScanPath(
      shape.labels.filter { $0.count == 2 && $0[0] == shape.action.first }.map { $0[1] })
    stepStart = shape.action.first.map { Array("{\"\($0)\":".utf8) } ?? [UInt8(ascii: "{")]
    actionMayBeLabel = !shape.action.isEmpty && shape.labels.contains(shape.action)
  }

  var tool: String { shape.tool }

  var hasStateBefore: Bool { shape.before != nil }

  func record(_ line: Value) throws(LineFault) -> LineRecord { try shape.record(line) }

  func kind(of line: UnsafeBufferPointer<UInt8>) -> RecordKind {
    if let base = line.baseAddress, line.count >= stepStart.count,
      memcmp(base, stepStart, stepStart.count) == 0
    {
      return .step
    }
    var parts = Parts()
    let scanner = ValueScanner(line)
    let end = scanner.endOfMembers(from: 0) { key, start in
      guard let value = scanner.value(from: start) else { return nil }
      if let part = part(of: key, scanner) { _ = parts.store(value, as: part) }
      return parts[.action] == nil ? value.upperBound : nil
    }
    // An action, or damage that may have been one.
    guard end == line.count, !isNamed(parts, scanner),
      parts[.lost].map(scanner.isString) != true, line.isUTF8
    else { return .step }
    if parts[.after] != nil { return .state }
    if parts[.note] != nil { return .note }
    return shape.needsAction ? .damaged(RecordShape.noAction) : .step
  }

  private func isNamed(_ parts: Parts, _ scanner: ValueScanner) -> Bool {
    shape.needsAction
      && [parts[.label], parts[.otherLabel]].contains { $0.map(scanner.isName) == true }
  }

  private func isState(_ parts: Parts) -> Bool {
    !shape.action.isEmpty && parts[.after] != nil && parts[.action] == nil && parts[.label] == nil
      && parts[.otherLabel] == nil && parts[.lost] == nil
  }

  private func part(of key: Range<Int>, _ scanner: ValueScanner) -> Part? {
    scanner.place(of: key, among: keys).map { roles[$0] }
  }

  func members(of line: UnsafeBufferPointer<UInt8>, place: ScanPath?) -> StepMembers? {
    guard !arePatches else { return nil }
    let line = line.record
    let scanner = ValueScanner(line)
    var parts = Parts()
    var placeInState: Range<Int>??
    let end = scanner.endOfMembers(from: 0) { key, start in
      let part = part(of: key, scanner)
      let value: Range<Int>
      if let place, part == .after {
        let start = scanner.afterSpace(start)
        let (found, end) = scanner.find(place, from: start)
        guard let end else { return nil }
        value = start..<end
        placeInState = .some(found)
      } else {
        guard let found = scanner.value(from: start) else { return nil }
        value = found
      }
      // Of equal keys the last counts, but only the parser knows all that follows from it.
      if let part, !parts.store(value, as: part) { return nil }
      return value.upperBound
    }
    guard end == line.count else { return nil }
    let told = shape.action.isEmpty ? 0..<line.count : parts[.action]
    let action = told.map { payload(of: $0, scanner) }
    // Only the parser takes the state out of a record that is the action.
    guard action != nil || isNamed(parts, scanner) || isState(parts) else { return nil }
    let state = parts[.after].map { payload(of: $0, scanner) }
    func text(_ value: Range<Int>?) -> Range<Int>? {
      value.flatMap { scanner.isString($0) ? $0 : nil }
    }
    var members = StepMembers(
      line, action: action, labelBeside: text(parts[.label]) ?? text(parts[.otherLabel]),
      isWholeAction: action == told, time: parts[.time], error: text(parts[.error]),
      before: parts[.before].map { payload(of: $0, scanner) }, state: state,
      // A literal [] would be made by a generic function for each line.
      unread: hasClock ? .time : StepPreview.Part(rawValue: 0))
    if state == parts[.after], let placeInState { members.set(placeInState: placeInState) }
    return members
  }

  /// Nil if the label is made of several parts, or of none.
  func label(of members: StepMembers) -> Range<Int>? {
    guard let action = members.action else { return members.labelBeside }
    let scanner = members.scanner
    var (best, seen) = (Int.max, 0)
    var isEachOnce = true
    var named: Range<Int>?
    var only: Range<Int>?
    var count = 0
    var hasStore = false
    let isObject = scanner.bytes[action.lowerBound] == UInt8(ascii: "{")
    if isObject {
      scanner.members(from: action.lowerBound) { key, value in
        count += 1
        only = key
        if scanner.key(key, is: "storeId") { hasStore = true }
        guard let rank = scanner.place(of: key, among: names) else { return true }
        // Of equal keys the last counts, which only the parser knows.
        isEachOnce = isEachOnce && seen & 1 << rank == 0
        seen |= 1 << rank
        if rank < best, scanner.isString(value) { (best, named) = (rank, value) }
        return true
      }
    }
    guard !hasStore, isEachOnce else { return nil }
    if let beside = members.labelBeside { return beside }
    if members.isWholeAction, let named { return named }
    if members.isWholeAction, actionMayBeLabel, scanner.isString(action) { return action }
    return count == 1 ? only : nil
  }

  /// The value of an only member `_0`, else the value.
  private func payload(of value: Range<Int>, _ scanner: ValueScanner) -> Range<Int> {
    let bytes = scanner.bytes
    guard bytes[value.lowerBound] == UInt8(ascii: "{") else { return value }
    if value.count > 2, bytes[value.lowerBound + 1] == UInt8(ascii: "\"") {
      let first = bytes[value.lowerBound + 2]
      guard first == UInt8(ascii: "_") || first == UInt8(ascii: "\\") else { return value }
    }
    var payload: Range<Int>?
    let isOnly = scanner.members(from: value.lowerBound) { key, member in
      guard payload == nil, scanner.key(key, is: "_0") else { return false }
      payload = member
      return true
    }
    return isOnly ? payload ?? value : value
  }
}

extension ValueScanner {
  func isString(_ value: Range<Int>) -> Bool {
    bytes[value.lowerBound] == UInt8(ascii: "\"")
  }

  /// Like ``Value/isName``.
  fileprivate func isName(_ value: Range<Int>) -> Bool {
    switch bytes[value.lowerBound] {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
