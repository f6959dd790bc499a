extension ByteBuffer {
  @inline(__always)
  mutating func append(_ number: Number) {
    switch number {
    case .integer(let value): append(value)
    case .double(let value): append(value)
    case .unsigned, .digits: append(number.text)
    }
  }

  @inline(__always)
  mutating func append(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: value.magnitude)
  }

  @inline(__always)
  private mutating func append(digitsOf value: UInt64) {
    let length = value.decimalLength
    write(value, length: length, to: space(length))
    advance(by: length)
  }

  /// Writes the last digits of a number, zeros in front included.
  @inline(__always)
  private func write(_ value: UInt64, length: Int, to target: UnsafeMutablePointer<UInt8>) {
    var rest = value
    var place = length
    while place > 0 {
      place -= 1
      let next = rest / 10
      target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
      rest = next
    }
  }

  /// The shortest text of a double, the same as its `description`.
  mutating func append(_ value: Double) {
    guard let decimal = ShortDecimal(value) else {
      if value.isFinite { append(value.description) } else { append("null" as StaticString) }
      return
    }
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    let scale = ShortDecimal.powersOfTen[decimal.fractionCount]
    append(digitsOf: decimal.digits / scale)
    append(UInt8(ascii: "."))
    let count = max(decimal.fractionCount, 1)
    write(decimal.digits % scale, length: count, to: space(count))
    advance(by: count)
  }
}

/// A double that a few digits behind the point write exactly, which are then its shortest text: at most
/// 15 digits name one double, and the search begins with the fewest.
private struct ShortDecimal {
  var digits: UInt64
  var fractionCount: Int

  static let powersOfTen: [UInt64] = [1, 10, 100, 1_000, 10_000]

  @inline(__always)
  init?(_ value: Double) {
    let size = value.magnitude
    guard size < 1e11, size >= 0.001 || size == 0 else { return nil }
    for count in 0..<5 {
      let scale = Double.powersOfTen[count]
      let whole = UInt64(size * scale + 0.5)
      if Double(whole) / scale == size {
        digits = whole
        fractionCount = count
        return
      }
    }
    return nil
  }
}

extension UInt64 {
  fileprivate var decimalLength: Int {
    if self < 10 { return 1 }
    var length = 1
    var rest = self
    while rest >= 10_000 {
      rest /= 10_000
      length += 4
    }
    return length + (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }
}
