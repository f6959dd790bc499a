import Platform

/// Compares values of one type bit by bit. Exists only for types where the same bits mean the same
/// value, given that somebody holds a copy of one of them (see ``TypeFields``).
struct BitComparison {
  private let stride: Int
  /// The bytes that count: what lies between them is padding, which copies need not keep.
  private let ranges: [Range<Int>]

  init?(_ type: Any.Type) {
    guard TypeFields.areTransparent(type) else { return nil }
    stride = TypeFields.stride(of: type)
    ranges = TypeFields.ranges(of: type)
  }

  func areSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    for range in ranges {
      let start = range.lowerBound
      if memcmp(left + start, right + start, range.count) != 0 { return false }
    }
    return true
  }

  func areSameValues<T>(_ left: T, _ right: T) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { areSame(UnsafeRawPointer(left), UnsafeRawPointer($0)) }
    }
  }

  /// How many values at the start of two runs are the same.
  func countSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, upTo count: Int) -> Int {
    let block = 32
    var index = 0
    while index < count {
      let end = min(index + block, count)
      if memcmp(left + index * stride, right + index * stride, (end - index) * stride) == 0 {
        index = end
        continue
      }
      while index < end {
        guard areSame(left + index * stride, right + index * stride) else { return index }
        index += 1
      }
    }
    return count
  }
}
