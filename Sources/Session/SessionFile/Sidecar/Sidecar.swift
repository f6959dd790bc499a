import Platform
import SessionWords
import ValueTree

/// The file beside a session for its viewers' work: marks, notes, branches, settings. The recording
/// itself never changes.
///
/// ```swift
/// let sidecar = Sidecar(session: "cart.retcon")
/// try sidecar.update { $0.marks.append(Mark(step: 812, note: "the button is disabled")) }
/// sidecar.contents.marks.count  // 1
/// ```
///
/// Every change is a transaction on the current file, so that two debuggers do not undo each
/// other's work. The file is written whole or not at all.
package final class Sidecar: Sendable {
  private let places: SidecarPlaces
  private let identity: SessionIdentity
  private let patience: Duration
  private let state: Locked<State>

  private struct State {
    var contents = SidecarContents()
    var notice: String?
    var remark: String?
    var seen: FileStamp?
  }

  private static let largest = 32 << 20

  /// `patience` is how long to wait for another program's change.
  package init(
    session path: String, patience: Duration = .seconds(5),
    environment: (String) -> String? = environmentVariable
  ) {
    identity = SessionIdentity(session: path)
    places = SidecarPlaces(session: path, identity: identity.number, environment: environment)
    self.patience = patience
    state = Locked(State())
    reload()
    if let found { removeLeftOver(at: found) }
  }

  package var contents: SidecarContents { state.withLock { $0.contents } }

  package var notice: String? { state.withLock { $0.notice } }

  /// Says once that an update had to rename an unreadable file.
  package func takeRemark() -> String? { state.withLock { $0.remark.take() } }

  package var path: String { places.writable(isAnother) }

  private var found: String? { places.found(isAnother) }

  package var exists: Bool { found != nil }

  package var hasChanged: Bool {
    let now = found.flatMap(Self.stamp)
    return state.withLock { $0.seen != now }
  }

  @discardableResult
  package func reload() -> SidecarContents {
    let found = found
    return state.withLock { state in
      state.seen = found.flatMap(Self.stamp)
      do throws(SessionError) {
        state.contents = try read(found) ?? state.contents
        state.notice = nil
      } catch {
        state.notice = error.sentence
      }
      return state.contents
    }
  }

  @discardableResult
  package func update(
    _ change: (inout SidecarContents) -> Void
  ) throws(SessionError) -> SidecarContents {
    try identity.check()
    let path = self.path
    makeFolders(above: path)
    let lock = try FileLock(path + ".lock", patience: patience)
    defer { lock.release() }
    let found = found
    return try state.withLock { (state) throws(SessionError) -> SidecarContents in
      var contents = state.contents
      do {
        contents = try read(found) ?? contents
      } catch {
        state.remark = try setAsideUnreadable(found, at: path)
      }
      change(&contents)
      let value = contents.value(session: identity.number, beginning: identity.beginning)
      let bytes = value.bytes(.pretty) + [UInt8(ascii: "\n")]
      // Contents that cannot be read back would be put aside later, so fail now.
      _ = try parse(bytes, path)
      // A killed process leaves a file of a fixed name, which the next one replaces.
      unlink(Self.leftOver(at: path))
      var file = try NewFile(path: path, taken: .isReplaced(through: Self.leftOver(at: path)))
      try file.append(bytes)
      try file.commit()
      state.contents = contents
      state.notice = nil
      state.seen = Self.stamp(path)
      return contents
    }
  }

  private static func leftOver(at path: String) -> String { path + ".new" }

  private func removeLeftOver(at path: String) {
    let leftOver = Self.leftOver(at: path)
    guard access(leftOver, F_OK) == 0,
      let lock = try? FileLock(path + ".lock", patience: .zero)
    else { return }
    unlink(leftOver)
    lock.release()
  }

  private func read(_ path: String?) throws(SessionError) -> SidecarContents? {
    guard let path else { return nil }
    return try parse(try bytes(of: path), path)
  }

  private func bytes(of path: String) throws(SessionError) -> [UInt8] {
    let file = try PartFile(path: path)
    guard file.size <= Self.largest else { throw tooLarge(path) }
    return try file.bytes(at: 0, count: file.size)
  }

  /// Whether a sidecar belongs to another session with the same first line.
  private func isAnother(_ path: String) -> Bool {
    guard let bytes = try? bytes(of: path), let value = try? Value(parsing: bytes),
      let beginning = SidecarContents.beginning(in: value)
    else { return false }
    return !identity.begins(beginning)
  }

  private func tooLarge(_ path: String) -> SessionError {
    SessionError(.badSidecar("it has more than \(Self.largest >> 20) MB"), path: path)
  }

  private func parse(
    _ bytes: [UInt8], _ path: String
  ) throws(SessionError) -> SidecarContents {
    guard bytes.count <= Self.largest else { throw tooLarge(path) }
    do {
      return try SidecarContents(
        Value(parsing: bytes, limits: ParseLimits(depth: 500)), session: identity)
    } catch {
      throw SessionError(.badSidecar(String(describing: error)), path: path)
    }
  }

  /// An unreadable sidecar may be someone's work: move it aside, do not overwrite it.
  private func setAsideUnreadable(_ found: String?, at path: String) throws(SessionError) -> String?
  {
    guard let found, found == path else { return nil }
    for number in 1...1_000 {
      let aside = "\(path).unreadable-\(number)"
      if access(aside, F_OK) == 0 { continue }
      guard rename(path, aside) == 0 else { break }
      return "\(path) cannot be used and is now \(aside); mend it and rename it back to have its "
        + "marks and forks again"
    }
    throw SessionError(.badSidecar("it cannot be renamed"), path: path)
  }

  /// Differs between two writes of a file.
  private static func stamp(_ path: String) -> FileStamp? {
    fileStatus(of: path, following: true).map { FileStamp($0) }
  }
}

/// A lock between processes, on a small file beside what it guards. The system releases it when the
/// process ends.
struct FileLock {
  private let descriptor: Int32

  /// Waits for the lock; its holders need it for one small write. Longer than `patience` is an
  /// error.
  init(_ path: String, patience: Duration) throws(SessionError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SessionError(PartFile.problem(errno, writing: true), path: path)
    }
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK, ContinuousClock.now < end else {
        close(descriptor)
        let words =
          code == EWOULDBLOCK ? "another program holds this lock" : errorText(code)
        throw SessionError(.system(words), path: path)
      }
      // Shorter than any holder needs, so that a busy one cannot keep others out.
      var pause = timespec(tv_sec: 0, tv_nsec: 300_000)
      nanosleep(&pause, nil)
    }
  }

  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
