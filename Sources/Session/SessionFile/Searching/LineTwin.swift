import Platform
import ValueTree

/// An earlier line of a log, which tells where the parts of similar lines are.
///
/// Most lines differ from an earlier one only in numbers, texts and words. Comparing them costs less
/// than finding each bracket again.
final class LineTwin {
  private static let longest = 4_096
  private static let mostScalars = 256
  private static let mostMoves = 32

  /// The parts of the earlier line.
  private(set) var members: StepMembers
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let scalars: UnsafeMutableBufferPointer<Scalar>
  private let moves: UnsafeMutableBufferPointer<Move>
  @exclusivity(unchecked) private var moveCount = 0
  @exclusivity(unchecked) private var touch: PatchScan.Touch?
  // No arrays: their counts of references would change with each line.
  @exclusivity(unchecked) private var newValues = UnsafeMutableBufferPointer<PatchScan.NewValue>(
    start: nil, count: 0)

  /// A number or word, or a text between its quotes.
  private struct Scalar {
    var start: Int
    var end: Int
    var isText: Bool
  }

  /// How far everything behind an offset of the earlier line is moved in the matching line.
  private struct Move {
    var end: Int
    var shift: Int
  }

  /// Nil for a line with escapes or other letters than ASCII, or a long one.
  fileprivate init?(_ members: StepMembers) {
    guard members.bytes.count <= Self.longest, let scalars = Self.scalars(of: members) else {
      return nil
    }
    text = .allocate(capacity: members.bytes.count)
    _ = text.initialize(fromContentsOf: members.bytes)
    self.scalars = .allocate(capacity: scalars.count)
    _ = self.scalars.initialize(fromContentsOf: scalars)
    moves = .allocate(capacity: Self.mostMoves)
    moves.initialize(repeating: Move(end: 0, shift: 0))
    self.members = members
    self.members.bytes = UnsafeBufferPointer(text)
  }

  deinit {
    text.deallocate()
    scalars.deallocate()
    moves.deallocate()
    newValues.deallocate()
  }

  /// The values that may differ. Those that say what a patch does may not.
  private static func scalars(of members: StepMembers) -> [Scalar]? {
    let line = members.bytes
    var found: [Scalar] = []
    var isFixed = false
    var position = 0
    while position < line.count {
      let start = position
      switch line[start] {
      case UInt8(ascii: "\""):
        guard let end = endOfText(line, from: start + 1) else { return nil }
        position = end + 1
        let next = members.scanner.afterSpace(position)
        if next < line.count, line[next] == UInt8(ascii: ":") {
          let key = UnsafeBufferPointer(rebasing: line[start + 1..<end])
          isFixed = members.patch?.contains(start) == true && decides(key)
        } else if !isFixed {
          found.append(Scalar(start: start + 1, end: end, isText: true))
        }
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A:
        position += 1
      default:
        position = endOfWord(line, from: start)
        guard position > start else { return nil }
        if !isFixed { found.append(Scalar(start: start, end: position, isText: false)) }
      }
    }
    return found.count <= mostScalars ? found : nil
  }

  private static func decides(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.elementsEqual("op".utf8) || key.elementsEqual("path".utf8) || key.elementsEqual("from".utf8)
  }

  /// The length of the line at the start of some bytes, if it has the same keys and containers. Then
  /// the other methods tell of that line.
  fileprivate func length(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let own = UnsafeRawPointer(text.baseAddress),
      let others = UnsafeRawPointer(bytes.baseAddress)
    else { return nil }
    let (scalars, moves, end) = (scalars, moves, text.count)
    var (position, shift, next, count) = (0, 0, 0, 0)
    while true {
      position = own.difference(
        to: others + shift, from: position, to: min(end, bytes.count - shift))
      if position == end {
        moveCount = count
        return position + shift
      }
      while next < scalars.count, scalars[next].end < position { next += 1 }
      guard next < scalars.count, scalars[next].start <= position else { return nil }
      let scalar = scalars[next]
      let found =
        scalar.isText
        ? Self.endOfText(bytes, from: position + shift)
        : Self.endOfWord(bytes, from: position + shift)
      guard let found, scalar.isText || found > scalar.start + shift else { return nil }
      if found != scalar.end + shift {
        guard count < moves.count else { return nil }
        shift = found - scalar.end
        moves[count] = Move(end: scalar.end, shift: shift)
        count += 1
      }
      position = scalar.end
      next += 1
    }
  }

  private static var each: UInt64 { 0x0101_0101_0101_0101 }

  /// The closing quote; nil if a byte before it is an escape, a control character or not ASCII.
  @inline(__always)
  private static func endOfText(_ line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var position = start
    while position + 8 <= line.count, let base = UnsafeRawPointer(line.baseAddress) {
      let eight = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      // Behind the lowest end nothing is certain, but a byte that is not ASCII always ends the text.
      let places = eight.endsOfText | eight & (each &* 0x80)
      if places != 0 {
        position += places.trailingZeroBitCount >> 3
        return line[position] == UInt8(ascii: "\"") ? position : nil
      }
      position += 8
    }
    while position < line.count {
      let byte = line[position]
      if byte == UInt8(ascii: "\"") { return position }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
      position += 1
    }
    return nil
  }

  @inline(__always)
  private static func endOfWord(_ line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    if position + 8 <= line.count, let base = UnsafeRawPointer(line.baseAddress) {
      // Most words are short numbers.
      let eight = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let digits = eight ^ each &* 0x30
      let others = (digits &+ each &* 0x76 | digits) & (each &* 0x80)
      position += others.trailingZeroBitCount >> 3
    }
    while position < line.count {
      switch line[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        position += 1
      default: return position
      }
    }
    return position
  }

  /// Where the matching line has what the earlier line has here.
  @inline(__always)
  func place(of range: Range<Int>) -> Range<Int> {
    let start = offset(range.lowerBound)
    return start..<max(start, offset(range.upperBound))
  }

  @inline(__always)
  private func offset(_ offset: Int) -> Int {
    var shift = 0
    for index in 0..<moveCount {
      guard moves[index].end <= offset else { break }
      shift = moves[index].shift
    }
    return offset + shift
  }

  /// Whether the patch touches the followed places; all calls must have the same scan.
  @inline(__always)
  func touch(_ scan: PatchScan) -> PatchScan.Touch { touch ?? scannedTouch(scan) }

  /// The new values of the matching line's patch.
  @inline(__always)
  func eachNewValue(_ body: (PatchScan.NewValue) -> Void) {
    for index in newValues.indices {
      var new = newValues[index]
      new.value = place(of: new.value)
      body(new)
    }
  }

  private func scannedTouch(_ scan: PatchScan) -> PatchScan.Touch {
    var sets: [PatchScan.NewValue] = []
    let touch = scan.touch(members.scanner, from: members.patch?.lowerBound ?? 0, &sets)
    newValues = .allocate(capacity: sets.count)
    _ = newValues.initialize(fromContentsOf: sets)
    self.touch = touch
    return touch
  }
}

/// The newest line of each kind, for the lines of one walk.
final class LineTwins {
  private let twins = UnsafeMutableBufferPointer<Unmanaged<LineTwin>?>.allocate(capacity: 64)
  @exclusivity(unchecked) private var madeCount = 0
  @exclusivity(unchecked) private var matchCount = 0
  @exclusivity(unchecked) private var similar: Unmanaged<LineTwin>?
  @exclusivity(unchecked) private var length: Int?
  @exclusivity(unchecked) private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init() { twins.initialize(repeating: nil) }

  deinit {
    for twin in twins { twin?.release() }
    twins.deallocate()
    room.deallocate()
  }

  /// A line with values in the place of its strings of JSON, valid until the next one. Asks for its
  /// length, too.
  func unwrapped(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    if room.count < line.count + 8 {
      room.deallocate()
      room = .allocate(byteCount: 2 * line.count + 8, alignment: 16)
    }
    let end = room.baseAddress.flatMap { ValueScanner(line).unwrap(into: $0) }
    let line = end.map { UnsafeBufferPointer(rebasing: room.bindMemory(to: UInt8.self)[..<$0]) }
    _ = line.flatMap { length(in: $0) }
    return line
  }

  /// The length of the line at the start of some bytes; nil if no earlier line is similar.
  @inline(__always)
  func length(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    similar = slot(of: bytes).flatMap { twins[$0] }
    length = similar?._withUnsafeGuaranteedRef { $0.length(in: bytes) }
    return length
  }

  /// Of the line whose length was asked last; nil if no earlier line is similar.
  @inline(__always)
  func members(of line: UnsafeBufferPointer<UInt8>) -> StepMembers? {
    guard let similar, length == line.count else { return nil }
    matchCount += 1
    return similar._withUnsafeGuaranteedRef { StepMembers(line, like: $0) }
  }

  func learn(_ members: StepMembers) {
    guard let slot = slot(of: members.bytes) else { return }
    // A line that cannot be kept costs as much.
    madeCount += 1
    guard let twin = LineTwin(members) else { return }
    twins[slot]?.release()
    twins[slot] = .passRetained(twin)
  }

  /// Nil for a short line, and if too few lines were similar: keeping one costs as much as 16 similar
  /// ones save. Lines of a kind begin with the same letters.
  @inline(__always)
  private func slot(of line: UnsafeBufferPointer<UInt8>) -> Int? {
    guard line.count >= 64, let base = UnsafeRawPointer(line.baseAddress),
      madeCount < 64 || matchCount >= madeCount * 16
    else { return nil }
    var sum: UInt64 = 0
    for part in 0..<5 {
      let eight = base.loadUnaligned(fromByteOffset: part * 8, as: UInt64.self)
      let letters = eight >> 6 & 0x0101_0101_0101_0101
      sum = (sum << 7 | sum >> 57) &+ eight & (letters &* 0xFF)
    }
    return Int((sum &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }
}
