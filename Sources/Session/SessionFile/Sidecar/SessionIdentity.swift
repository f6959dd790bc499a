import Platform
import SessionWords
import ValueTree

/// The identity of a sidecar's session, wherever it is: a number from the session's first line, and
/// its beginning and its last lines when the sidecar was last written. Growth keeps both; another
/// session of the same app differs.
struct SessionIdentity: Sendable {
  private let path: String
  let number: String
  private var opened: Beginning?

  struct Beginning: Sendable, Hashable {
    var bytes: Int
    var hash: String
    /// The end of the last whole line, and the hash of up to ``lastBytes`` before it.
    var end: Int?
    var lastHash: String?
  }

  private static let mostBytes = 1 << 16
  private static let lastBytes = 1 << 12
  private static let mostLines = 64

  init(session path: String) {
    self.path = path
    let start = (try? PartFile(path: path)).flatMap(Self.start) ?? []
    number =
      start.isEmpty ? "none" : Self.hash(start.prefix { $0 != UInt8(ascii: "\n") })
    opened = beginning
  }

  var beginning: Beginning? {
    guard let file = try? PartFile(path: path), let start = Self.start(of: file) else {
      return nil
    }
    let ends = start.indices.filter { start[$0] == UInt8(ascii: "\n") }.prefix(Self.mostLines)
    let bytes = ends.last.map { $0 + 1 } ?? 0
    let size = file.size
    let end = Self.last(of: file, upTo: size).flatMap { last in
      last.lastIndex(of: UInt8(ascii: "\n")).map { size - last.count + $0 + 1 }
    }
    return Beginning(
      bytes: bytes, hash: Self.hash(start[..<bytes]), end: end,
      lastHash: end.flatMap { Self.last(of: file, upTo: $0) }.map(Self.hash))
  }

  /// Fails if the session was moved or replaced: its sidecar must not end up beside another one.
  func check() throws(SessionError) {
    guard let opened, opened.bytes > 0 else { return }
    guard access(path, F_OK) == 0 else { throw SessionError(.movedAway, path: path) }
    guard begins(opened) else { throw SessionError(.changed, path: path) }
  }

  /// Whether the session still begins like this. An unreadable one counts as the same.
  func begins(_ beginning: Beginning) -> Bool {
    guard let file = try? PartFile(path: path), let start = Self.start(of: file) else {
      return true
    }
    guard 0...start.count ~= beginning.bytes,
      Self.hash(start[..<beginning.bytes]) == beginning.hash
    else { return false }
    guard let end = beginning.end else { return true }
    return 0...file.size ~= end
      && Self.last(of: file, upTo: end).map(Self.hash) == beginning.lastHash
  }

  private static func start(of file: PartFile) -> [UInt8]? {
    try? file.bytes(at: 0, count: min(file.size, mostBytes))
  }

  private static func last(of file: PartFile, upTo end: Int) -> [UInt8]? {
    let from = max(0, end - lastBytes)
    return try? file.bytes(at: from, count: end - from)
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return String(hash, radix: 36)
  }
}

/// The places of a sidecar: beside the session, so that both move together, or in the user's state
/// folder if the first is not writable.
struct SidecarPlaces: Sendable {
  static let suffix = ".sidecar"
  var beside: String
  /// In the user's state folder, without number and extension; nil without a home.
  private var inStateFolder: String?

  init(session path: String, identity: String, environment: (String) -> String?) {
    beside = path + Self.suffix
    inStateFolder = stateFolder(environment).map { "\($0)/sidecars/\(identity)" }
  }

  private func stored(_ isAnother: (String) -> Bool) -> String? {
    guard let inStateFolder else { return nil }
    let names = (1...100).lazy.map { "\(inStateFolder)\($0 == 1 ? "" : "-\($0)").sidecar" }
    return names.first { access($0, F_OK) != 0 || !isAnother($0) }
  }

  /// The place with a sidecar. The one beside the session wins, unless only the other is writable.
  func found(_ isAnother: (String) -> Bool) -> String? {
    let isBeside = access(beside, F_OK) == 0
    if isBeside, isWritable(beside) { return beside }
    let stored = stored(isAnother).flatMap { access($0, F_OK) == 0 ? $0 : nil }
    return stored ?? (isBeside ? beside : nil)
  }

  /// The place to write: an existing writable one, else beside, else the other.
  func writable(_ isAnother: (String) -> Bool) -> String {
    if let found = found(isAnother), isWritable(found) { return found }
    return isWritable(beside) ? beside : stored(isAnother) ?? beside
  }

  private func isWritable(_ path: String) -> Bool {
    guard access(folderAbove(path), W_OK) == 0 else { return false }
    return access(path, F_OK) != 0 || access(path, W_OK) == 0
  }
}
