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

/// Where files lie that nobody keeps.
package var temporaryFolder: String { environmentVariable("TMPDIR") ?? "/tmp" }

/// Whether there is no process of this number any more.
package func hasEnded(_ process: pid_t) -> Bool {
  process > 0 && kill(process, 0) < 0 && errno == ESRCH
}
