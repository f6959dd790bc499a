/// Where a line of a step begins, with what is known of it: eight bytes.
struct StepEntry: Sendable {
  var bits: UInt64

  init(offset: Int, isKeyframe: Bool = false, isAbsent: Bool = false, isBegun: Bool = false) {
    bits =
      UInt64(offset) << 3 | (isKeyframe ? 1 : 0) | (isAbsent ? 2 : 0) | (isBegun ? 4 : 0)
  }

  init(bits: UInt64) { self.bits = bits }

  var offset: Int { Int(bits >> 3) }
  var isKeyframe: Bool { bits & 1 != 0 }
  /// No line tells this step; the offset is that of the next line.
  var isAbsent: Bool { bits & 2 != 0 }
  /// Only a `begin` line tells this step.
  var isBegun: Bool { bits & 4 != 0 }
}

/// Where another line begins, with its kind: eight bytes.
struct OtherEntry: Sendable {
  var bits: UInt64

  init(offset: Int, kind: LineKind) { bits = UInt64(offset) << 3 | UInt64(kind.rawValue) }
  init(bits: UInt64) { self.bits = bits }

  var offset: Int { Int(bits >> 3) }
  var kind: LineKind { LineKind(rawValue: UInt8(bits & 7)) ?? .unknown }
}
