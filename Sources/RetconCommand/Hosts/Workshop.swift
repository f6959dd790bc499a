import Platform

/// A folder that nobody else may look into, for files that live as long as a command. It is made when
/// the first of them is.
final class Workshop: Sendable {
  private let environment: [String: String]
  private let made = Locked<(folder: String?, files: Int)>((nil, 0))

  init(_ environment: [String: String]) { self.environment = environment }

  deinit { if let folder = made.withLock({ $0.folder }) { FileSystem.removeFolder(folder) } }

  /// A path for a new file.
  func path(_ name: String) throws -> String {
    try made.withLock { made in
      let folder = try made.folder ?? FileSystem.temporaryFolder(in: environment)
      made.folder = folder
      made.files += 1
      return "\(folder)/\(made.files)-\(name)"
    }
  }
}
