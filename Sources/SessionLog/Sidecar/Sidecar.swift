import Platform
import ValueTree

/// The file beside a session that holds what its viewers made: marks, notes, branches, settings. The
/// recording itself is never changed.
///
/// ```swift
/// let sidecar = Sidecar(session: "cart.retcon")
/// try sidecar.update { $0.marks.append(Mark(step: 812, note: "the button is disabled")) }
/// sidecar.contents.marks.count  // 1
/// ```
///
/// Every change is a transaction on the file as it is then, so two debuggers that have it open do not
/// undo each other's. It is written whole or not at all.
public final class Sidecar: Sendable {
  private let places: SidecarPlaces
  private let identity: String
  private let state: Locked<State>

  private struct State {
    var contents = SidecarContents()
    var notice: String?
  }

  /// A sidecar larger than this was not made by a person.
  private static let largest = 32 << 20

  public convenience init(session path: String) {
    self.init(
      session: path, identity: Self.identity(ofSession: path),
      environment: { name in getenv(name).map { String(cString: $0) } })
  }

  init(session path: String, identity: String, environment: (String) -> String?) {
    places = SidecarPlaces(session: path, identity: identity, environment: environment)
    self.identity = identity
    state = Locked(State())
    reload()
  }

  /// As of the last reading or change.
  public var contents: SidecarContents { state.withLock { $0.contents } }

  /// Why the sidecar that was found is not used, as one sentence.
  public var notice: String? { state.withLock { $0.notice } }

  /// Where the next change is written.
  public var path: String { places.writable }

  /// Reads again what others may have written.
  @discardableResult
  public func reload() -> SidecarContents {
    state.withLock { state in
      do throws(SessionError) {
        state.contents = try read(places.found) ?? state.contents
        state.notice = nil
      } catch {
        state.notice = error.sentence
      }
      return state.contents
    }
  }

  /// Changes the contents as they are in the file now, and writes them.
  @discardableResult
  public func update(
    _ change: (inout SidecarContents) -> Void
  ) throws(SessionError) -> SidecarContents {
    let path = places.writable
    SidecarPlaces.makeFolders(above: path)
    let lock = try FileLock(path + ".lock")
    defer { lock.release() }
    return try state.withLock { (state) throws(SessionError) -> SidecarContents in
      var contents = state.contents
      do {
        contents = try read(places.found) ?? contents
      } catch {
        try keepUnreadable(places.found, at: path)
      }
      change(&contents)
      let bytes = contents.value(session: identity).bytes(.pretty) + [UInt8(ascii: "\n")]
      // What could not be read again would be put aside with all that it holds.
      _ = try parse(bytes, path)
      var file = try NewFile(path: path, replacing: true)
      try file.append(bytes)
      try file.keep()
      state.contents = contents
      state.notice = nil
      return contents
    }
  }

  private func read(_ path: String?) throws(SessionError) -> SidecarContents? {
    guard let path else { return nil }
    let file = try PartFile(path: path)
    guard file.size <= Self.largest else { throw tooLarge(path) }
    return try parse(try file.bytes(at: 0, count: file.size), path)
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

  /// What cannot be read is somebody's work all the same: it is put aside, not written over.
  private func keepUnreadable(_ found: String?, at path: String) throws(SessionError) {
    guard let found, found == path else { return }
    for number in 1...1_000 {
      let aside = "\(path).unreadable-\(number)"
      if access(aside, F_OK) == 0 { continue }
      guard rename(path, aside) == 0 else { break }
      return
    }
    throw SessionError(.badSidecar("it cannot be put aside"), path: path)
  }

  /// The same for a session wherever it lies: a number made of its first line.
  static func identity(ofSession path: String) -> String {
    guard let file = try? PartFile(path: path),
      let start = try? file.bytes(at: 0, count: min(file.size, 1 << 16))
    else { return "none" }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in start.prefix(while: { $0 != UInt8(ascii: "\n") }) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return String(hash, radix: 36)
  }
}
