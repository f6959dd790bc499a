import Platform

/// Where the sidecar of a session can lie: beside it, so that both move together, or in the user's
/// state folder when nothing can be written there.
struct SidecarPlaces: Sendable {
  var beside: String
  /// Nil when there is no home to put it in.
  var inStateFolder: String?

  init(session path: String, identity: String, environment: (String) -> String?) {
    beside = path + ".sidecar"
    let state =
      environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment("HOME").map { $0 + "/.local/state" }
    inStateFolder = state.map { "\($0)/retcon/sidecars/\(identity).sidecar" }
  }

  /// The one that holds something; the one beside the session counts first.
  var found: String? {
    ([beside] + [inStateFolder].compactMap(\.self)).first { access($0, F_OK) == 0 }
  }

  /// The one to write: where something lies already and can be written, else beside, else the other.
  var writable: String {
    if let found, isWritable(found) { return found }
    return isWritable(beside) ? beside : inStateFolder ?? beside
  }

  private func isWritable(_ path: String) -> Bool {
    guard let folder = Self.folder(of: path), access(folder, W_OK) == 0 else { return false }
    return access(path, F_OK) != 0 || access(path, W_OK) == 0
  }

  /// Makes the folders above a path, for this user alone.
  static func makeFolders(above path: String) {
    guard let folder = folder(of: path), access(folder, F_OK) != 0 else { return }
    makeFolders(above: folder)
    mkdir(folder, 0o700)
  }

  private static func folder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
