import Platform

/// A session as a file that can be read from anywhere in it: what comes through standard input, or is
/// packed, is written to a private folder first, which is gone with this value.
final class LocalFile: Sendable {
  /// What to open.
  let path: String
  /// What marks and forks are kept beside.
  let original: String
  private let folder: String?

  /// What messages call it, where that is not its path.
  var shownName: String? {
    guard folder != nil else { return nil }
    return original == Self.standardInput ? "standard input" : original
  }

  /// The name for standard input.
  static let standardInput = "-"
  /// What a packed file may become: a few bytes can say that they are terabytes.
  static let unpackedLimit = 16 << 30

  init(_ name: String, in environment: [String: String], limit: Int = unpackedLimit) throws {
    original = name
    guard name == Self.standardInput || Packing(ofFileAt: name) != nil else {
      (path, folder) = (name, nil)
      return
    }
    let folder = try FileSystem.temporaryFolder(in: environment)
    do {
      var file = name
      if name == Self.standardInput {
        file = "\(folder)/standard-input"
        try Self.copy(from: 0, to: file, limit: limit, of: "standard input")
      }
      if let packing = Packing(ofFileAt: file) {
        let unpacked = "\(folder)/\(packing.name(of: name))"
        try packing.unpack(file, to: unpacked, limit: limit, shown: name)
        file = unpacked
      }
      (path, self.folder) = (file, folder)
    } catch {
      FileSystem.removeFolder(folder)
      throw error
    }
  }

  deinit { if let folder { FileSystem.removeFolder(folder) } }

  /// Copies what a descriptor gives into a new file.
  fileprivate static func copy(
    from source: Int32, to path: String, limit: Int, of name: String
  ) throws {
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw UsageError(what: "cannot write \(path): \(errorText(errno))") }
    defer { close(target) }
    var total = 0
    let size = 1 << 18
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      while true {
        let count = retryingInterrupted { read(source, buffer.baseAddress, size) }
        guard count >= 0 else {
          throw UsageError(what: "cannot read \(name): \(errorText(errno))")
        }
        guard count > 0 else { return }
        total += count
        guard total <= limit else {
          throw UsageError(
            what: "\(name) holds more than \(limit >> 20) MB", next: "Unpack it yourself")
        }
        guard WholeTransfer.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
        else { throw UsageError(what: "cannot write \(path): \(errorText(errno))") }
      }
    }
  }
}

/// How a file is packed, told by its first bytes, and the system's program that unpacks it.
private enum Packing: String, CaseIterable {
  case gzip, xz, zstd

  private var signs: (magic: [UInt8], ending: String) {
    switch self {
    case .gzip: ([0x1F, 0x8B], ".gz")
    case .xz: ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], ".xz")
    case .zstd: ([0x28, 0xB5, 0x2F, 0xFD], ".zst")
    }
  }

  init?(ofFileAt path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      let start = WholeTransfer.readAll(from: file, limit: 6),
      let found = Self.allCases.first(where: { start.starts(with: $0.signs.magic) })
    else { return nil }
    self = found
  }

  /// What the file is called without its packing.
  func name(of path: String) -> String {
    let name = path == LocalFile.standardInput ? "" : String(path.split(separator: "/").last ?? "")
    let ending = signs.ending
    guard name.hasSuffix(ending), name.count > ending.count else {
      return name.isEmpty ? "session.retcon" : name + ".retcon"
    }
    return String(name.dropLast(ending.count))
  }

  func unpack(_ path: String, to target: String, limit: Int, shown name: String) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0, let pipe = closingPipe() else {
      if source >= 0 { close(source) }
      throw UsageError(what: "cannot read \(name): \(errorText(errno))")
    }
    var start = ChildStart(rawValue, ["-dc"])
    start.files = [0: .descriptor(source), 1: .descriptor(pipe.write), 2: .nothing]
    let child = Result { () throws(ChildStart.Failure) in try start.run() }
    close(source)
    close(pipe.write)
    defer { close(pipe.read) }
    let process: pid_t
    do { process = try child.get() } catch {
      throw UsageError(
        what: "\(name) is packed, and \(error)", next: "Install \(rawValue) or unpack the file")
    }
    let copied = Result {
      try LocalFile.copy(from: pipe.read, to: target, limit: limit, of: name)
    }
    if case .failure = copied { kill(process, SIGKILL) }
    let status = Subprocess.end(of: process)
    try copied.get()
    guard status == 0 else {
      throw UsageError(
        what: "\(name) cannot be unpacked: \(rawValue) ended with \(status)",
        next: "The file is damaged or was cut off")
    }
  }
}
