import Platform

/// Cuts bytes that arrive in pieces into lines.
package struct LineSplitter {
  private var rest: [UInt8] = []
  /// Up to where `rest` was searched for a line end.
  private var searched = 0
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  package struct TooLong: Error {}

  /// Gives each finished line, without its end, and keeps what is unfinished.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, line: (UnsafeRawBufferPointer) -> Void
  ) throws(TooLong) {
    rest.append(contentsOf: bytes)
    var start = 0
    rest.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return }
      var position = searched
      while position < all.count,
        let end = memchr(base + position, 10, all.count - position)
      {
        let length = UnsafeRawPointer(end) - (base + start)
        if length > 0 { line(UnsafeRawBufferPointer(start: base + start, count: length)) }
        start += length + 1
        position = start
      }
    }
    if start > 0 { rest.removeFirst(start) }
    searched = rest.count
    if rest.count > limit { throw TooLong() }
  }
}
