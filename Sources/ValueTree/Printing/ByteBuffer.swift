import Platform

/// Bytes that grow as they are written.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 4096) {
    base = Self.memory(nil, capacity)
    self.capacity = capacity
  }

  deinit { free(base) }

  /// From the C library, which enlarges a large block without copying it.
  private static func memory(
    _ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let block = realloc(old, capacity)
    precondition(block != nil, "there is memory for the text")
    return block.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Where to write at most `room` bytes; `advance(by:)` says how many there were.
  @inline(__always)
  mutating func space(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < room { grow(room) }
    return base + count
  }

  @inline(__always)
  mutating func advance(by length: Int) { count += length }

  @inline(never)
  private mutating func grow(_ room: Int) {
    capacity = max(capacity * 2, count + room)
    base = Self.memory(base, capacity)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    space(1).pointee = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    guard let start = source.baseAddress else { return }
    memcpy(space(source.count), start, source.count)
    count += source.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8, times: Int) {
    space(times).update(repeating: byte, count: times)
    count += times
  }

  /// The text as it is.
  @inline(__always)
  mutating func append(_ text: String) {
    let length = text.utf8.count
    let target = space(length)
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { source in
      if let start = source.baseAddress { memcpy(target, start, length) }
    }
    if done == nil { for (place, byte) in text.utf8.enumerated() { target[place] = byte } }
    count += length
  }
}
