import ValueTree

/// Where the state and the patch stand in the line of a step: the rest of it is not parsed.
struct LineMembers {
  private let bytes: UnsafeBufferPointer<UInt8>
  var scanner: ValueScanner { ValueScanner(bytes) }
  private(set) var patch: Range<Int>?
  private(set) var state: Range<Int>?

  /// The line may begin with zero bytes.
  init(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
    let start = line.firstIndex { $0 != 0 } ?? 0
    bytes = UnsafeBufferPointer(rebasing: line[start...])
    let scanner = ValueScanner(bytes)
    var patch: Range<Int>?
    var state: Range<Int>?
    let isWhole = scanner.members(from: 0) { key, value in
      if scanner.key(key, is: "patch") { patch = value }
      if scanner.key(key, is: "state") { state = value }
      return true
    }
    guard isWhole else { throw LineFault(reason: "it is not JSON") }
    self.patch = patch
    self.state = state
  }

  func value(of range: Range<Int>?) throws(LineFault) -> Value? {
    guard let range else { return nil }
    return try Value(line: UnsafeBufferPointer(rebasing: bytes[range]))
  }
}
