#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears under its name when it is whole, and not at all otherwise.
package struct NewFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isKept = false

  package init(path: String, replacing: Bool = false) throws(SessionError) {
    let made = try Self.make(path, replacing: replacing)
    self.path = path
    descriptor = made.descriptor
    temporaryPath = made.path
  }

  private static func make(
    _ path: String, replacing: Bool
  ) throws(SessionError) -> (descriptor: Int32, path: String) {
    if !replacing, access(path, F_OK) == 0 { throw SessionError(.alreadyExists, path: path) }
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw SessionError(PartFile.problem(errno, writing: true), path: path)
    }
    return (
      descriptor,
      String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  deinit {
    close(descriptor)
    if !isKept { unlink(temporaryPath) }
  }

  package mutating func append(_ bytes: some Collection<UInt8>) throws(SessionError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 1 << 18 { try flush() }
  }

  /// Gives the file its name, when the device holds all of it.
  package mutating func keep() throws(SessionError) {
    try flush()
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw failure }
    isKept = true
  }

  private mutating func flush() throws(SessionError) {
    var written = 0
    while written < buffer.count {
      let count = buffer[written...].withUnsafeBytes {
        #if canImport(Glibc)
          Glibc.write(descriptor, $0.baseAddress, $0.count)
        #else
          Darwin.write(descriptor, $0.baseAddress, $0.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private var failure: SessionError {
    SessionError(.system("\(String(cString: strerror(errno))); nothing was written"), path: path)
  }
}
