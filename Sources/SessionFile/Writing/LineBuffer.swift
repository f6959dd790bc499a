import SessionWords

/// Lines that wait to be handed to the system.
struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var firstStep: Int?
  private(set) var stepCount = 0
  /// Those of them that are not steps.
  private(set) var between: [LogLine] = []
  /// How many of these tell something that no other line does.
  private(set) var tellingCount = 0

  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(step: Int, _ line: [UInt8]) {
    if firstStep == nil { firstStep = step }
    stepCount += 1
    bytes += line
  }

  mutating func add(_ line: LogLine) {
    between.append(line)
    switch line {
    case .begin, .readBegun, .tape: break
    default: tellingCount += 1
    }
    bytes += line.bytes
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    between.removeAll(keepingCapacity: true)
    firstStep = nil
    stepCount = 0
    tellingCount = 0
  }
}
