import HostProtocol
import Platform

enum Subprocess {
  /// Runs a program in this terminal, or with a text as its input. Uses no shell. Returns its exit
  /// status.
  static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> Int32 {
    var start = ChildStart(program, arguments)
    guard let input else { return end(of: try begin(start)) }
    guard let pipe = closingPipe() else {
      throw UsageError(what: "cannot make a pipe: \(errorText(errno))")
    }
    start.files = [0: .descriptor(pipe.read), 1: .nothing, 2: .nothing]
    let child = Result { try begin(start) }
    close(pipe.read)
    if case .success = child { try? FileSystem.write(input, to: pipe.write) }
    close(pipe.write)
    return end(of: try child.get())
  }

  private static func begin(_ start: ChildStart) throws -> pid_t {
    do { return try start.run() } catch {
      throw UsageError(what: "\(error)")
    }
  }

  static func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
