import Platform
import SessionFile
import SessionWords
import ValueTree

/// Results of `verify --resume`, one line each. A result counts for the same content of session,
/// host and files, wherever they are, and for the same options.
final class KeptResults: Sendable {
  private let path: String
  private let host: String
  private let file: Int32
  /// By the digest of the session.
  private let lines: [String: (line: Value, files: Value?)]
  /// The host's files as the last line tells them; a line without them has those before.
  private let files = Locked<Value?>(nil)
  /// Files that were read, until they change.
  private let known = Locked<[String: (stamp: FileStamp, digest: String)]>([:])
  private let environment: [String: String]

  init(_ path: String, of host: HostOptions, _ asked: String, _ environment: [String: String])
    throws
  {
    (self.path, self.environment) = (path, environment)
    let told = (host.reducer?.options ?? []).map { name, value in
      "\(name) \(Self.digest(ofFileAt: value) ?? value)"
    }
    let program = host.command.map { command in
      let digest = Self.digest(
        ofFileAt: programPath(command.program, in: environment["PATH"]) ?? "")
      return "\(digest ?? command.program) \(command.arguments)"
    }
    self.host =
      ([program, host.reducer.map { $0.export ?? "" }].compactMap(\.self) + told + [asked])
      .joined(separator: " ")
    file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0, let bytes = WholeTransfer.readAll(from: file) else {
      throw UsageError(
        what: "cannot use \(path): \(errorText(errno))", next: "Name a file that can be written")
    }
    var found: [String: (line: Value, files: Value?)] = [:]
    var files: Value?
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // The last line of a killed run may be cut off; that session runs again.
      let value = try? Value(parsing: String(line))
      if let value, value["file"] != nil, value["equal"] ?? value["error"] != nil {
        files = value["files"] ?? files
        if let digest = value["of"]?.string { found[digest] = (value, files) }
      } else if value != nil || !Self.begin.hasPrefix(line.prefix(Self.begin.count)) {
        throw UsageError(
          what: "\(path) is not a list of results: nothing was written to it",
          next: "Name a new file, or one that --resume wrote")
      }
    }
    lines = found
    if let last = bytes.last, last != 0x0A { try write("\n") }
  }

  private static let begin = #"{"file":"#

  deinit { close(file) }

  func line(for session: String) -> Value? {
    guard let digest = digest(of: session), case (let kept, let files?)? = lines[digest],
      kept["error"] == nil, kept["host"]?.string == host, areSame(files),
      case .object(var members) = kept
    else { return nil }
    for key in ["of", "host", "files"] { members[key] = nil }
    members["file"] = .string(session)
    return .object(members)
  }

  private func areSame(_ files: Value) -> Bool {
    guard case .object(let digests) = files else { return false }
    return digests.allSatisfy { digest(of: $0.key) == $0.value.string }
  }

  /// `read` are the files that the host has read.
  func save(_ line: Value, by read: some Sequence<String>) throws {
    guard case .object(var members) = line, let session = line["file"]?.string else {
      impossible("a result names its session")
      throw UsageError(what: "a result names no session, and cannot be kept")
    }
    members["of"] = digest(of: session).map(Value.string)
    members["host"] = .string(host)
    let now = Value.object(
      ValueObject(
        read.sorted().map { path in
          // Seen from here, they are the same in a copy of the folder.
          (key: path.fromHere, value: digest(of: path).map(Value.string) ?? .null)
        }))
    if files.withLock({ exchange(&$0, with: now) }) != now { members["files"] = now }
    try write(Value.object(members).text() + "\n")
  }

  private func write(_ text: String) throws {
    var text = text
    guard text.withUTF8({ WholeTransfer.write(UnsafeRawBufferPointer($0), to: file) }) else {
      throw UsageError(cannot: "write", path)
    }
  }

  /// Nil if it cannot be read. A session then runs again.
  private func digest(of name: String) -> String? {
    guard let facts = fileStatus(of: name, following: true) else {
      return (try? LocalFile(name, in: environment)).flatMap { Self.digest(ofFileAt: $0.path) }
    }
    let stamp = FileStamp(facts)
    if let known = known.withLock({ $0[name] }), known.stamp == stamp { return known.digest }
    guard let digest = Self.digest(ofFileAt: name) else { return nil }
    known.withLock { $0[name] = (stamp, digest) }
    return digest
  }

  /// Two sums over words of eight bytes, and the size. It tells versions apart, but a forger can
  /// match it.
  private static func digest(ofFileAt path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0, fileStatus(of: file)?.isFile == true else {
      if file >= 0 { close(file) }
      return nil
    }
    defer { close(file) }
    var (one, two, size) = (0xCBF2_9CE4_8422_2325 as UInt64, 0x9E37_79B9_7F4A_7C15 as UInt64, 0)
    while let bytes = WholeTransfer.readAll(from: file, limit: 1 << 20), !bytes.isEmpty {
      size += bytes.count
      bytes.withUnsafeBytes { bytes in
        for place in stride(from: 0, to: bytes.count, by: 8) {
          var word: UInt64 = 0
          if place + 8 <= bytes.count {
            word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          } else {
            for byte in bytes[place...] { word = word << 8 | UInt64(byte) }
          }
          one = (one ^ word) &* 0x100_0000_01B3
          one = one << 29 | one >> 35
          two = (two &+ word) &* 0xFF51_AFD7_ED55_8CCD
          two ^= two >> 32
        }
      }
    }
    return String(one, radix: 36) + String(two, radix: 36) + "-\(size)"
  }
}

extension String {
  /// The path as seen from the current folder, if it is in there.
  var fromHere: String {
    let here = absolutePath(".").dropLast()
    return hasPrefix(here) ? String(dropFirst(here.count)) : self
  }
}
