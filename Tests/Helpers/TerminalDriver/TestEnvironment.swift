import Platform

/// The environment that programs under test start with; nothing of the tester's own leaks in.
package enum TestEnvironment {
  package static func variables(terminal: String = "xterm-256color") -> [String: String] {
    var result = [
      "TERM": terminal, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
      // A crashing program should say so and end, not ask.
      "SWIFT_BACKTRACE": "enable=no",
      // Under the thread sanitizer too a crash is the signal that it is without.
      "TSAN_OPTIONS": "handle_segv=0:handle_sigbus=0:handle_sigfpe=0",
    ]
    for name in ["PATH", "TMPDIR", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
  }
}
