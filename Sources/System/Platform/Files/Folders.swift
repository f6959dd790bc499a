/// The names that begin with a prefix, sorted.
package func namesInFolder(_ path: String, with prefix: String = "") -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // An entry is shorter than its type, so copying the whole name could read past the last one.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      return impossible("the name of an entry is in its memory", [])
    }
    let bytes = UnsafeRawPointer(entry) + offset
    let characters = bytes.assumingMemoryBound(to: CChar.self)
    guard strncmp(characters, prefix, prefix.utf8.count) == 0 else { continue }
    let name = String(cString: characters)
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The absolute path, which survives a change of the working folder.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}

package func folderAbove(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

package func makeFolders(above path: String) {
  let folder = folderAbove(path)
  guard folder != path, access(folder, F_OK) != 0 else { return }
  makeFolders(above: folder)
  mkdir(folder, 0o700)
}

package func stateFolder(_ environment: (String) -> String?) -> String? {
  userFolder("XDG_STATE_HOME", ".local/state", environment)
}

package func userFolder(
  _ variable: String, _ place: String, _ environment: (String) -> String?
) -> String? {
  let folder =
    environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    ?? environment("HOME").map { "\($0)/\(place)" }
  return folder.map { $0 + "/retcon" }
}

package func fileStatus(of descriptor: Int32) -> stat? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? status : nil
}

/// The status of a path; does not follow a link unless asked.
package func fileStatus(of path: String, following: Bool = false) -> stat? {
  var status = stat()
  return (following ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
}

extension stat {
  package var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

package func folderPart(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// The path of a program: as it is named, else in a folder of `PATH`.
package func programPath(_ name: String, in path: String?) -> String? {
  if name.contains("/") { return name }
  let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
  return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}

/// The path of a file without links; nil if it is not there.
package func realPath(of path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

extension stat {
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// The time of the last change of any kind, which programs cannot set back.
  package var changeTime: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}
