import Platform

/// The words of the command line. A file name that is not UTF-8 does not fit a `String`, so it
/// becomes a link in a private folder.
struct RawArguments {
  let words: [String]
  private var folder: ScratchFolder?

  init(in environment: [String: String]) {
    let raw = CommandLine.unsafeArgv
    self.init(
      (1..<max(1, Int(CommandLine.argc))).compactMap { raw[$0].map { Self.bytes($0) } },
      in: environment)
  }

  init(_ raw: [[UInt8]], in environment: [String: String]) {
    var folder: ScratchFolder?
    words = raw.enumerated().map { number, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard !text.utf8.elementsEqual(bytes), let end = Self.endOfName(bytes) else { return text }
      folder = folder ?? (try? FileSystem.temporaryFolder(in: environment))
      guard let folder else { return text }
      let name = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "/").last ?? ""
      let link = "\(folder.path)/\(number)-\(name)"
      guard symlink(Self.cString(Self.absolute(bytes[..<end])), link) == 0 else { return text }
      return link + String(decoding: bytes[end...], as: UTF8.self)
    }
    self.folder = folder
  }

  /// Removes the links; their words are then no paths.
  mutating func removeLinks() { folder = nil }

  /// The end of an existing file's name: the end of the word, or before the last place.
  private static func endOfName(_ bytes: [UInt8]) -> Int? {
    if exists(bytes[...]) { return bytes.count }
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), exists(bytes[..<at]) else { return nil }
    return at
  }

  private static func exists(_ path: ArraySlice<UInt8>) -> Bool { access(cString(path), F_OK) == 0 }

  private static func cString(_ bytes: some Sequence<UInt8>) -> [CChar] {
    bytes.map { CChar(truncatingIfNeeded: $0) } + [0]
  }

  private static func absolute(_ path: ArraySlice<UInt8>) -> [UInt8] {
    guard path.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return Array(path) }
    defer { free(folder) }
    return bytes(folder) + [UInt8(ascii: "/")] + path
  }

  private static func bytes(_ cString: UnsafePointer<CChar>) -> [UInt8] {
    (0..<strlen(cString)).map { UInt8(truncatingIfNeeded: cString[$0]) }
  }
}
