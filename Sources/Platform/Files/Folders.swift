/// The names in a folder, sorted; none where it cannot be read.
package func namesInFolder(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // An entry is shorter than its type says: a copy of the whole name may reach behind the last one.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let bytes = UnsafeRawPointer(entry) + offset
    let name = String(cString: bytes.assumingMemoryBound(to: CChar.self))
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The path from the root: it stays the same file when the process goes to another folder.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}

/// The folder that a path lies in.
package func folderAbove(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes the folders above a path, for this user alone.
package func makeFolders(above path: String) {
  let folder = folderAbove(path)
  guard folder != path, access(folder, F_OK) != 0 else { return }
  makeFolders(above: folder)
  mkdir(folder, 0o700)
}

/// Where the program keeps what it remembers for this user; nil when there is no home.
package func stateFolder(_ environment: (String) -> String?) -> String? {
  userFolder("XDG_STATE_HOME", ".local/state", environment)
}

/// The program's folder in one of those that a user may name, by default within the home.
package func userFolder(
  _ variable: String, _ place: String, _ environment: (String) -> String?
) -> String? {
  let folder =
    environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    ?? environment("HOME").map { "\($0)/\(place)" }
  return folder.map { $0 + "/retcon" }
}

/// What the system says of an open file; nil after an error.
package func fileStatus(of descriptor: Int32) -> stat? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? status : nil
}

/// What the system says of what has a name; of a symbolic link itself, unless it is followed.
package func fileStatus(of path: String, following: Bool = false) -> stat? {
  var status = stat()
  return (following ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
}

/// A path up to its last slash, with it: what is put before the name of another file there.
package func folderPart(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

extension stat {
  /// When the content was changed last.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// When anything about the file was changed last; nobody can set it back.
  package var changeTime: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}
