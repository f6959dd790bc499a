/// The environment of this process.
package func currentEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let parts = String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return result
}

/// The value of one variable.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// How this machine is called; empty where nobody has named it.
package func machineName() -> String {
  var bytes = [CChar](repeating: 0, count: 256)
  guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
  return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The file of this program.
package var executablePath: String {
  #if canImport(Darwin)
    var size: UInt32 = 0
    _NSGetExecutablePath(nil, &size)
    var bytes = [CChar](repeating: 0, count: Int(size) + 1)
    guard _NSGetExecutablePath(&bytes, &size) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  #else
    "/proc/self/exe"
  #endif
}

/// Where files lie that nobody keeps.
package var temporaryFolder: String { environmentVariable("TMPDIR") ?? "/tmp" }

/// Whether there is no process of this number any more.
package func hasEnded(_ process: pid_t) -> Bool {
  process > 0 && kill(process, 0) < 0 && errno == ESRCH
}

/// Tells a process from one that was forked from it, at the cost of reading memory: Linux wipes the page
/// of the mark in the child. Apple's systems cannot, but their `getpid` reads a number that `fork` clears.
///
/// `@unchecked Sendable`: the page is written by `set` only, whose callers come before all readers.
package final class ProcessMark: @unchecked Sendable {
  /// Nil where the system cannot wipe a page; then the process is asked for its number.
  private let page: UnsafeMutableRawPointer?
  private var process = getpid()

  private static let size = Int(getpagesize())

  package init() {
    page = Self.wipedPage()
    set()
  }

  deinit { if let page { munmap(page, Self.size) } }

  /// From now on this process is the one that the mark tells from others.
  package func set() {
    process = getpid()
    page?.storeBytes(of: 1, as: UInt8.self)
  }

  /// Whether this is a child of the process that set the mark, which it got by `fork`.
  package var isInherited: Bool {
    guard let page else { return getpid() != process }
    return page.load(as: UInt8.self) == 0
  }

  /// A page that is all zeros in a forked child.
  private static func wipedPage() -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      return nil
    #else
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
      guard let memory, memory != MAP_FAILED else { return nil }
      if madvise(memory, size, Int32(MADV_WIPEONFORK)) == 0 { return memory }
      munmap(memory, size)
      return nil
    #endif
  }
}
