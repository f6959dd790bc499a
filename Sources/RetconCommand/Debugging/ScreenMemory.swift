import Platform

/// How the person arranged the screen the last time, in a small file of the user's state folder.
struct ScreenMemory: Sendable {
  private let path: String?

  init(_ environment: [String: String]) {
    path = stateFolder { environment[$0] }.map { $0 + "/panes" }
  }

  /// Whether nobody has left the debugger before who could be remembered.
  var isNew: Bool { path.map { access($0, F_OK) != 0 } ?? false }

  var arrangement: String? { path.flatMap { try? FileSystem.text(of: $0) } }

  /// That it cannot be written is no trouble: the next time everything stands where it stands by itself.
  func keep(_ arrangement: String) {
    guard let path, arrangement != self.arrangement else { return }
    makeFolders(above: path)
    let new = "\(path).\(getpid())"
    guard (try? FileSystem.write(arrangement, to: new)) != nil else { return }
    if rename(new, path) != 0 { FileSystem.remove(new) }
  }
}
