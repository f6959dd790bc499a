import Platform

/// The arrangement of the panes and what was typed, in the user's state folder.
struct ScreenMemory: Sendable {
  private let folder: String?

  init(_ environment: [String: String]) { folder = stateFolder { environment[$0] } }

  var isNew: Bool { folder.map { access($0 + "/panes", F_OK) != 0 } ?? false }

  var arrangement: String? { text(of: "panes") }
  var typed: String? { text(of: "history") }

  private func text(of file: String) -> String? {
    folder.flatMap { try? FileSystem.text(of: "\($0)/\(file)", limit: 1 << 20) }
  }

  /// Stores both. On failure the next start uses the defaults, so errors are ignored.
  func save(_ arrangement: String, typed: String) {
    save(arrangement, as: "panes")
    if !typed.isEmpty { save(typed, as: "history") }
  }

  private func save(_ text: String, as file: String) {
    guard let folder, text != self.text(of: file) else { return }
    let path = "\(folder)/\(file)"
    makeFolders(above: path)
    let new = "\(path).\(getpid())"
    guard (try? FileSystem.write(text, to: new)) != nil else { return }
    if rename(new, path) != 0 { FileSystem.remove(new) }
  }
}
