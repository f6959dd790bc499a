import Platform

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
