import Platform
import SessionWords
import ValueTree

/// The identity of a sidecar's session, wherever it is: a number from the session's first line, and
/// its beginning when the sidecar was last written. Growth keeps the beginning; another session of
/// the same app differs.
struct SessionIdentity: Sendable {
  private let path: String
  let number: String
  private let opened: Beginning?

  struct Beginning: Sendable, Hashable {
    var bytes: Int
    var hash: String
  }

  private static let mostBytes = 1 << 16
  private static let mostLines = 64

  init(session path: String) {
    self.path = path
    let start = Self.start(of: path) ?? []
    number =
      start.isEmpty ? "none" : Self.hash(start.prefix { $0 != UInt8(ascii: "\n") })
    opened = Self.beginning(of: start)
  }

  var beginning: Beginning? { Self.start(of: path).map(Self.beginning) }

  /// Fails if the session was moved or replaced: its sidecar must not end up beside another one.
  func check() throws(SessionError) {
    guard let opened, opened.bytes > 0 else { return }
    guard access(path, F_OK) == 0 else { throw SessionError(.movedAway, path: path) }
    guard begins(opened) else { throw SessionError(.changed, path: path) }
  }

  private static func beginning(of start: [UInt8]) -> Beginning {
    var lines = 0
    var end = 0
    for (index, byte) in start.enumerated() where byte == UInt8(ascii: "\n") {
      lines += 1
      end = index + 1
      if lines == mostLines { break }
    }
    return Beginning(bytes: end, hash: hash(start[..<end]))
  }

  /// Whether the session still begins like this. An unreadable one counts as the same.
  func begins(_ beginning: Beginning) -> Bool {
    guard let start = Self.start(of: path) else { return true }
    guard beginning.bytes >= 0, beginning.bytes <= start.count else { return false }
    return Self.hash(start[..<beginning.bytes]) == beginning.hash
  }

  private static func start(of path: String) -> [UInt8]? {
    guard let file = try? PartFile(path: path) else { return nil }
    return try? file.bytes(at: 0, count: min(file.size, mostBytes))
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
