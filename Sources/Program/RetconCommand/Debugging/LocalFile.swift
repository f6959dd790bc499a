import HostProtocol
import Platform
import SessionFile
import SessionImports
import SessionWords
import TimeTravel

/// A session as a seekable file. Standard input and packed files are first copied into a private
/// folder, which lives as long as this value.
///
/// If the system has unnamed files, the folder holds a link to one, so a killed process leaves no
/// data behind.
final class LocalFile: Sendable {
  let path: String
  let original: String
  private let folder: ScratchFolder?
  private let held: [Int32]

  var shownName: String? {
    guard folder != nil else { return nil }
    return original == Self.standardInput ? "standard input" : original
  }

  static let standardInput = "-"

  /// The key of `--fetch` in a command's environment. The process has no such variable.
  static let fetch = "--fetch"

  static func isReadInPlace(_ name: String) -> Bool {
    name != standardInput && Packing(ofFileAt: name) == nil
  }

  /// `progress` gets how far it is, as `45 %` or `12 MB`, and stops the work by throwing. `input` is standard input.
  /// Copying stops as soon as the bytes cannot be a session.
  init(
    _ name: String, in environment: [String: String], input: Int32 = 0, isSession: Bool = true,
    progress: (String) throws -> Void = { _ in }
  ) throws {
    original = name
    guard !isSession || !FileSystem.isStream(name) else {
      throw UsageError(
        what: "\(name) is a device or a pipe, and - reads those",
        next: "Write for example cat FILE | retcon info -")
    }
    let fetching = FileSystem.exists(name) ? nil : environment[Self.fetch]
    guard fetching != nil || !Self.isReadInPlace(name) else {
      (path, folder, held) = (name, nil, [])
      ScratchFolder.removeAbandonedSoon(in: FileSystem.temporaryPlace(in: environment))
      return
    }
    let folder = try FileSystem.temporaryFolder(in: environment)
    var copy = FileCopy(limit: FileCopy.limit(in: folder.path, environment), isOfSession: isSession)
    do {
      var file = name
      if name == Self.standardInput {
        file = "\(folder.path)/standard-input"
        try copy.copy(from: input, to: file, of: "standard input") {
          try progress("\($0 >> 20) MB")
        }
      }
      if let command = fetching.flatMap({ HostCommand(words: $0) }), name != Self.standardInput {
        let words = ([command.program] + command.arguments).map { $0.replacing("{}", with: name) }
        file = "\(folder.path)/fetched"
        try copy.copyOutput(of: ChildStart(words[0], Array(words.dropFirst())), to: file, of: name)
      }
      if let packing = Packing(ofFileAt: file) {
        let unpacked = "\(folder.path)/\(packing.name(of: name))"
        try packing.unpack(file, to: unpacked, &copy, shown: name, progress: progress)
        file = unpacked
      }
      (path, self.folder, held) = (file, folder, copy.held)
    } catch {
      for file in copy.held { close(file) }
      throw error
    }
  }

  deinit { for file in held { close(file) } }

  /// Errors name the user's file, not its copy.
  func read<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    do { return try body(path) } catch let error as any Explained {
      guard let shownName else { throw error }
      throw Trouble(
        error.what.replacing(path, with: shownName),
        place: error.place?.replacing(path, with: shownName), next: error.next)
    }
  }
}

private struct FileCopy {
  let limit: Int
  let isOfSession: Bool
  private(set) var held: [Int32] = []

  /// 8 GB, or half of the free space: a few packed bytes can expand to terabytes.
  static func limit(in folder: String, _ environment: [String: String]) -> Int {
    if let megabytes = environment["RETCON_UNPACK_LIMIT"].flatMap({ Int($0) }), megabytes > 0 {
      return min(megabytes, 1 << 30) << 20
    }
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else { return 8 << 30 }
    let free = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return free.overflow ? 8 << 30 : Int(min(free.partialValue / 2, 8 << 30))
  }

  mutating func copy(
    from source: Int32, to path: String, of name: String, progress: (_ copied: Int) throws -> Void
  ) throws {
    let target = try makeFile(path)
    held.append(target)
    var total = 0
    let size = 1 << 18
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      while true {
        try progress(total)
        var waiting = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 100) != 0 else { continue }
        let count = retryingInterrupted { read(source, buffer.baseAddress, size) }
        guard count >= 0 else { throw UsageError(cannot: "read", name) }
        guard count > 0 else {
          guard total > 0 || name != "standard input" || !isOfSession else {
            throw UsageError(
              what: "standard input is empty",
              next: "Pipe a session into it; only one file can be -, because it is read once")
          }
          if total > 0, total < SessionOpener.lengths.lowerBound { try check(path, of: name) }
          return
        }
        total += count
        guard total <= limit else {
          throw UsageError(
            what: "\(name) holds more than \(limit >> 20) MB",
            next: "Unpack it yourself, or allow more: RETCON_UNPACK_LIMIT=MB in the environment")
        }
        guard WholeTransfer.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
        else { throw UsageError(cannot: "write", path) }
        let before = total - count
        for length in [SessionOpener.lengths.lowerBound, SessionOpener.lengths.upperBound]
        where total >= length && before < length {
          try check(path, of: name)
        }
      }
    }
  }

  /// The program must end well: a part of a session could pass for the whole.
  mutating func copyOutput(
    of program: ChildStart, to target: String, of name: String, next: String? = nil,
    progress: (_ copied: Int) throws -> Void = { _ in }
  ) throws {
    let (process, pipe): (pid_t, Int32)
    do throws(UsageError) { (process, pipe) = try program.run(piping: 1) } catch {
      throw UsageError(
        what: "\(name) cannot be read, because \(error.what)", next: "Install \(program.program)")
    }
    defer { close(pipe) }
    let copied = Result { try copy(from: pipe, to: target, of: name, progress: progress) }
    if case .failure = copied { kill(process, SIGKILL) }
    let status = Subprocess.end(of: process)
    try copied.get()
    guard status == 0 else {
      throw UsageError(
        what: "\(name) cannot be read: \(program.program) ended with \(status)", next: next)
    }
  }

  private func check(_ path: String, of name: String) throws {
    guard isOfSession, Packing(ofFileAt: path) == nil, try !SessionOpener.standard.mayOpen(path)
    else { return }
    do throws(SessionError) { _ = try SessionReader(path: path) } catch {
      throw SessionError(error.problem, path: name)
    }
  }

  private func makeFile(_ path: String) throws -> Int32 {
    #if os(Linux)
      // `O_TMPFILE`, which the headers show only to GNU programs.
      let unnamed = open(
        folderAbove(path), O_WRONLY | O_CLOEXEC | 0o20_000_000 | O_DIRECTORY, 0o600)
      if unnamed >= 0 {
        if symlink("/proc/\(getpid())/fd/\(unnamed)", path) == 0, access(path, R_OK) == 0 {
          return unnamed
        }
        unlink(path)
        close(unnamed)
      }
    #endif
    let named = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard named >= 0 else { throw UsageError(cannot: "write", path) }
    return named
  }
}

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
    guard let start = try? PartFile(path: path).bytes(at: 0, count: 6),
      let found = Self.allCases.first(where: { start.starts(with: $0.signs.magic) })
    else { return nil }
    self = found
  }

  func name(of path: String) -> String {
    let name = path == LocalFile.standardInput ? "" : String(path.split(separator: "/").last ?? "")
    let ending = signs.ending
    guard name.hasSuffix(ending), name.count > ending.count else {
      return name.isEmpty ? "session.retcon" : name + ".retcon"
    }
    return String(name.dropLast(ending.count))
  }

  func unpack(
    _ path: String, to target: String, _ copy: inout FileCopy, shown name: String,
    progress: (String) throws -> Void
  ) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw UsageError(cannot: "read", name) }
    defer { close(source) }
    let size = fileStatus(of: source).map { max(Double($0.st_size), 1) } ?? 1
    // A file says how much memory xz takes; zstd has a limit of its own.
    let limit = self == .xz ? ["--memlimit-decompress=512MiB"] : []
    var start = ChildStart(rawValue, ["-dc"] + limit)
    start.files = [0: .descriptor(source), 2: .nothing]
    // The child shares the file's offset.
    try copy.copyOutput(
      of: start, to: target, of: name,
      next: "The file is damaged or was cut off. Save what is whole: "
        + "\(rawValue) -dc \(ShellWord.quoted(name)) > PART"
    ) { _ in
      try progress("\(Int(Double(lseek(source, 0, SEEK_CUR)) / size * 100)) %")
    }
  }
}
