import Glibc
import Platform

/// This test program, run again in a process of its own for one test that is skipped otherwise.
package struct ChildProcess {
  package let id: pid_t

  static let variable = "RETCON_TEST_CHILD"

  /// The parent's task for this process; nil in the parent.
  package static var task: String? { environmentVariable(variable) }

  /// Starts the test whose name matches `filter` with a task to read from ``task``.
  package init(running filter: String, task: String) throws {
    var words = CommandLine.arguments
    while let index = words.firstIndex(where: { $0 == "--filter" || $0 == "--skip" }) {
      words.removeSubrange(index...min(index + 1, words.count - 1))
    }
    words += ["--filter", filter]
    // The first of two equal entries counts. The test does not read a child's crash report.
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no")]
    var next = environ
    while let entry = next.pointee {
      environment.append(strdup(entry))
      next += 1
    }
    environment += [strdup("\(Self.variable)=\(task)"), nil]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    defer {
      posix_spawn_file_actions_destroy(&files)
      for word in arguments + environment { free(word) }
    }
    var id = pid_t()
    let result = posix_spawn(&id, "/proc/self/exe", &files, nil, &arguments, environment)
    guard result == 0 else { throw FileTrouble(path: words[0], error: result) }
    self.id = id
  }

  package func kill(_ signal: Int32) { Glibc.kill(id, signal) }

  /// The status that `waitpid` gives when it has ended.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
