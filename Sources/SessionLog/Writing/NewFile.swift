import Platform

/// A file that appears under its name when it is whole, and not at all otherwise.
package struct NewFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isKept = false

  /// `through` is the name that it has until it is whole; nil for one that nothing else has.
  package init(
    path: String, replacing: Bool = false, through temporaryPath: String? = nil
  ) throws(SessionError) {
    let made = try Self.make(path, replacing: replacing, temporaryPath)
    self.path = path
    descriptor = made.descriptor
    self.temporaryPath = made.path
  }

  private static func make(
    _ path: String, replacing: Bool, _ temporaryPath: String?
  ) throws(SessionError) -> (descriptor: Int32, path: String) {
    if !replacing, access(path, F_OK) == 0 { throw SessionError(.alreadyExists, path: path) }
    if let temporaryPath {
      let descriptor = open(
        temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw SessionError(PartFile.problem(errno, writing: true), path: path)
      }
      return (descriptor, temporaryPath)
    }
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
    guard buffer.withUnsafeBytes({ WholeTransfer.write($0, to: descriptor) }) else { throw failure }
    buffer.removeAll(keepingCapacity: true)
  }

  private var failure: SessionError {
    SessionError(.system("\(errorText(errno)); nothing was written"), path: path)
  }
}
