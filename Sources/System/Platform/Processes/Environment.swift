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

package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

package func machineName() -> String {
  var bytes = [CChar](repeating: 0, count: 256)
  guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
  return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

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

package var temporaryFolder: String { environmentVariable("TMPDIR") ?? "/tmp" }

package func hasEnded(_ process: pid_t) -> Bool {
  process > 0 && kill(process, 0) < 0 && errno == ESRCH
}

/// Distinguishes a process from its forked children by reading memory: Linux clears the mark's page
/// in the child. Apple's systems cannot, but their `getpid` reads a number that `fork` clears.
///
/// `@unchecked Sendable`: only `set` writes the page, before all readers.
package final class ProcessMark: @unchecked Sendable {
  /// Nil if the system cannot clear a page; then `getpid` decides.
  private let page: UnsafeMutableRawPointer?
  private var process = getpid()

  private static let size = Int(getpagesize())

  package init() {
    page = Self.wipedPage()
    set()
  }

  deinit { if let page { munmap(page, Self.size) } }

  package func set() {
    process = getpid()
    page?.storeBytes(of: 1, as: UInt8.self)
  }

  package var isInherited: Bool {
    guard let page else { return getpid() != process }
    return page.load(as: UInt8.self) == 0
  }

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
