import Platform

/// Finds an app's source files by the names in a log: `CartFeature/Cart.swift`.
///
/// Logs are untrusted. It searches below one folder, and reports a file found elsewhere as such.
package struct SourceFiles: Sendable {
  package struct Found: Sendable, Hashable {
    package var path: String
    package var isOutside: Bool
  }

  private let root: String?
  private static let mostEntries = 50_000

  package init(under folder: String) { root = realPath(of: folder) }

  package func find(_ name: String) -> Found? {
    guard let root, (1...1_000).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    else { return nil }
    for candidate in [name, "Sources/\(name)", "src/\(name)", "Tests/\(name)"] {
      let path = candidate.hasPrefix("/") ? candidate : "\(root)/\(candidate)"
      guard let path = realPath(of: path), fileStatus(of: path, following: true)?.isFile == true
      else { continue }
      return Found(path: path, isOutside: !path.hasPrefix(root + "/"))
    }
    return search(root, for: name).map { Found(path: $0, isOutside: false) }
  }

  /// The file with this name in a folder named like the module, at any depth; without a module, the
  /// only one with the name.
  private func search(_ root: String, for name: String) -> String? {
    let parts = name.split(separator: "/").map(String.init)
    guard let file = parts.last else { return nil }
    let module = parts.count > 1 ? parts[0] : nil
    var found: String?
    var folders = [(path: root, isOfModule: module == nil)][...]
    var left = Self.mostEntries
    while let folder = folders.popFirst(), left > 0 {
      for entry in namesInFolder(folder.path) where !entry.hasPrefix(".") && entry != "node_modules"
      {
        left -= 1
        let path = "\(folder.path)/\(entry)"
        // Links are not followed: they could lead anywhere.
        guard let facts = fileStatus(of: path) else { continue }
        if facts.isFolder {
          folders.append((path, folder.isOfModule || entry == module))
        } else if folder.isOfModule, entry == file, facts.isFile {
          guard module == nil else { return path }
          guard found == nil else { return nil }
          found = path
        }
      }
    }
    return found
  }
}
