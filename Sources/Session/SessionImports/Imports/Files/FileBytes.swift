import Platform
import ValueTree

final class FileBytes {
  let path: String
  let count: Int
  let descriptor: Int32
  /// One for all parts of the file: the system clears the memory of each new one.
  private let room: UnsafeMutableRawBufferPointer
  private var windowStart = 0
  private var windowCount = 0
  private var wentBack = false
  private static let windowSize = 1 << 20

  convenience init(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ImportError.system("it cannot be opened", path: path) }
    try self.init(descriptor: descriptor, path: path)
  }

  init(descriptor: Int32, path: String) throws {
    self.descriptor = descriptor
    self.path = path
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else {
      close(descriptor)
      throw ImportError.system("its size cannot be found out", path: path)
    }
    count = Int(end)
    room = .allocate(byteCount: min(Self.windowSize, count), alignment: 16)
  }

  deinit {
    room.deallocate()
    close(descriptor)
  }

  /// The same file with a window of its own.
  func again() throws -> FileBytes {
    try FileBytes(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), path: path)
  }

  /// The bytes from an offset, up to a window and at least so many; fewer at the end.
  func withWindow<Result>(
    at offset: Int, atLeast least: Int = 1,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    let end = windowStart + windowCount
    if offset < windowStart || offset + least > end && end < count || offset >= end {
      try load(at: offset)
    }
    let start = min(windowCount, offset - windowStart)
    let window = room.bindMemory(to: UInt8.self)[start..<windowCount]
    return try body(UnsafeBufferPointer(rebasing: window))
  }

  func byte(at offset: Int) throws -> UInt8? {
    try withWindow(at: offset) { $0.first }
  }

  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let taken = try withWindow(at: offset) { window in
        let part = window.prefix(range.upperBound - offset)
        result.append(contentsOf: part)
        return part.count
      }
      guard taken > 0 else { throw ImportError.system("it became shorter", path: path) }
      offset += taken
    }
    return result
  }

  private func load(at offset: Int) throws {
    // A reader that goes back twice goes on so: some tools write the newest first.
    let isBack = offset < windowStart && windowStart - offset < Self.windowSize
    let start = isBack && wentBack ? max(0, offset - Self.windowSize / 4 * 3) : offset
    wentBack = isBack
    windowStart = start
    windowCount = 0
    let wanted = min(Self.windowSize, max(0, count - start))
    guard wanted > 0 else { return }
    let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
    guard let read = WholeTransfer.read(into: part, from: descriptor, at: start) else {
      throw ImportError.system("it cannot be read", path: path)
    }
    windowCount = read
  }
}

extension [UInt8] {
  /// The first two bytes that are neither blank nor zero, behind a byte order mark.
  var head: [UInt8] {
    let rest = dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    let marks = rest.lazy.filter { $0 != 0 && $0 != 0x20 && !(0x09...0x0D).contains($0) }
    return Array(marks.prefix(2))
  }
}
