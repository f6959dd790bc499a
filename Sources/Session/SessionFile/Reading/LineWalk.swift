import Platform
import SessionWords

struct LineWalk {
  private static let chunkSize = 1 << 18
  /// The bytes between two checks for interruption, at least one line.
  private static let piece = 1 << 14

  /// Calls `visit` with each line's offset and bytes, without line end and leading zero bytes,
  /// until it returns false. The range must hold whole lines. `length` may know how long the first
  /// line of some bytes is, which saves looking for its end.
  @inline(__always)
  static func walk(
    _ range: Range<Int>, in parts: PartList,
    length lengthOfLine: (UnsafeBufferPointer<UInt8>) -> Int? = { _ in nil },
    visit: (Int, UnsafeBufferPointer<UInt8>) throws(SessionError) -> Bool
  ) throws(SessionError) {
    let canBeStopped = Interruption.isHeeded
    var looked = range.lowerBound
    var start = range.lowerBound
    while start < range.upperBound {
      let part = parts.part(holding: start)
      let end = min(range.upperBound, part.base + part.size)
      var window = LineWindow(part.file, from: start - part.base, size: min(chunkSize, end - start))
      var position = 0
      while start + position < end {
        guard try window.move(by: position, to: end - part.base) else {
          throw SessionError(.changed, path: part.file.path)
        }
        start += position
        position = 0
        let buffer = window.bytes
        let rest = start + buffer.count == end ? buffer.count : nil
        while position < buffer.count,
          let newline = endOfLine(at: position, in: buffer, lengthOfLine) ?? rest
        {
          if canBeStopped, start + newline - looked >= piece {
            looked = start + newline
            if Interruption.isAsked { throw SessionError(.interrupted, path: part.file.path) }
          }
          let text = textRange(of: buffer, position, newline)
          guard
            try visit(start + text.lowerBound, UnsafeBufferPointer(rebasing: buffer[text]))
          else { return }
          position = newline + 1
        }
        if position == 0, window.isFull, buffer.first == 0 {
          position = buffer.prefix { $0 == 0 }.count
          if position == buffer.count {
            let data = part.file.nextData(from: window.start + position)
            start += position + window.skip(to: min(data, end - part.base))
            position = 0
          }
          continue
        }
        guard position == 0, buffer.count > LineIndex.longestLine else { continue }
        // The index has it as damage.
        guard try visit(start, UnsafeBufferPointer(rebasing: buffer[..<0])) else { return }
        position = buffer.count
        while start + position < end, try window.move(by: position, to: end - part.base) {
          start += position
          let newline = window.bytes.newline(from: 0)
          position = newline.map { $0 + 1 } ?? window.bytes.count
          if newline != nil { break }
        }
      }
      start = end
    }
  }

  @inline(__always)
  private static func endOfLine(
    at start: Int, in buffer: UnsafeBufferPointer<UInt8>,
    _ lengthOfLine: (UnsafeBufferPointer<UInt8>) -> Int?
  ) -> Int? {
    if start < buffer.count,
      let length = lengthOfLine(UnsafeBufferPointer(rebasing: buffer[start...])),
      start + length < buffer.count, buffer[start + length] == 0x0A
    {
      return start + length
    }
    return buffer.newline(from: start)
  }

  @inline(__always)
  private static func textRange(
    of buffer: UnsafeBufferPointer<UInt8>, _ first: Int, _ last: Int
  ) -> Range<Int> {
    var (start, end) = (first, last)
    while start < end, buffer[start] == 0 { start += 1 }
    if start < end, buffer[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}

/// Some bytes of a file, which moves along its lines.
struct LineWindow: ~Copyable {
  private let file: PartFile
  // One for all places: the system clears the memory of each new one.
  private var room: UnsafeMutableRawBufferPointer
  private var count = 0
  private(set) var start: Int

  init(_ file: PartFile, from start: Int, size: Int) {
    (self.file, self.start) = (file, start)
    room = .allocate(byteCount: size, alignment: 16)
  }

  deinit { room.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bindMemory(to: UInt8.self))[..<count])
  }

  var isFull: Bool { count == room.count }

  /// Empties it, and moves on to a place behind its bytes. Returns how far that is behind them.
  mutating func skip(to place: Int) -> Int {
    let skipped = place - start - count
    (start, count) = (place, 0)
    return skipped
  }

  /// Moves on by some of its bytes, and reads on, but not behind `end`. False if there is nothing
  /// more. A full one that does not move grows.
  mutating func move(by step: Int, to end: Int) throws(SessionError) -> Bool {
    let old = room
    if step == 0, isFull, count > 0 {
      let size = min(4 * count, max(count, LineIndex.longestLine) + 1)
      room = .allocate(byteCount: size, alignment: 16)
    }
    ReadingPlace.record(start, of: file.size)
    count -= step
    start += step
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[step..<step + count]))
    if room.baseAddress != old.baseAddress { old.deallocate() }
    let rest = room[count..<max(count, min(room.count, end - start))]
    let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: rest), at: start + count)
    count += read
    return read > 0 || step > 0 && count > 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  func newline(from position: Int) -> Int? {
    guard position < count, let base = baseAddress,
      let found = memchr(base + position, 0x0A, count - position)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
