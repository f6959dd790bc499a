import Platform
import SessionWords
import ValueTree

/// How a sidecar knows its session again, wherever it lies: by a number made of the session's first
/// line, and by how the session began when the sidecar was last written. A session that grows still
/// begins so; another one that was recorded by the same app does not.
struct SessionIdentity: Sendable {
  private let path: String
  /// Made of the first line.
  let number: String
  /// As it was when the sidecar was opened.
  private let opened: Beginning?

  /// The first lines of a session.
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

  /// As the session is now; nil when it cannot be read.
  var beginning: Beginning? { Self.start(of: path).map(Self.beginning) }

  /// Fails when the session was moved away or another one has its name: what belongs to it must not lie
  /// beside that.
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

  /// Whether the session still begins so. One that cannot be read is taken at the word of its name.
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

/// Where the sidecar of a session can lie: beside it, so that both move together, or in the user's
/// state folder when nothing can be written there.
struct SidecarPlaces: Sendable {
  static let suffix = ".sidecar"
  var beside: String
  /// In the user's state folder, without the number and the ending; nil when there is no home.
  private var inStateFolder: String?

  init(session path: String, identity: String, environment: (String) -> String?) {
    beside = path + Self.suffix
    inStateFolder = stateFolder(environment).map { "\($0)/sidecars/\(identity)" }
  }

  /// The first that is not another session's, whether it is there or not.
  private func stored(_ isAnother: (String) -> Bool) -> String? {
    guard let inStateFolder else { return nil }
    let names = (1...100).lazy.map { "\(inStateFolder)\($0 == 1 ? "" : "-\($0)").sidecar" }
    return names.first { access($0, F_OK) != 0 || !isAnother($0) }
  }

  /// The one that holds something. The one beside the session counts first, unless nothing can be
  /// written to it and something was written to the other.
  func found(_ isAnother: (String) -> Bool) -> String? {
    let isBeside = access(beside, F_OK) == 0
    if isBeside, isWritable(beside) { return beside }
    let stored = stored(isAnother).flatMap { access($0, F_OK) == 0 ? $0 : nil }
    return stored ?? (isBeside ? beside : nil)
  }

  /// The one to write: where something lies already and can be written, else beside, else the other.
  func writable(_ isAnother: (String) -> Bool) -> String {
    if let found = found(isAnother), isWritable(found) { return found }
    return isWritable(beside) ? beside : stored(isAnother) ?? beside
  }

  private func isWritable(_ path: String) -> Bool {
    guard access(folderAbove(path), W_OK) == 0 else { return false }
    return access(path, F_OK) != 0 || access(path, W_OK) == 0
  }
}
