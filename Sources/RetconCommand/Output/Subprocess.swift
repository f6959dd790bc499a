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

  /// The path of the first of these programs that a folder of `PATH` holds.
  static func path(of programs: [String], in environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return programs.lazy.flatMap { name in
      name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
    }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program in a folder and reads its standard output.
  static func output(
    of words: [String], in folder: String, showsErrors: Bool
  ) throws -> (text: String, status: Int32) {
    guard let pipe = closingPipe() else {
      throw UsageError(what: "cannot make a pipe: \(errorText(errno))")
    }
    defer { close(pipe.read) }
    var start = ChildStart(
      "/bin/sh", ["-c", #"cd "$1" && shift && exec "$@""#, "sh", folder] + words)
    start.files = [0: .nothing, 1: .descriptor(pipe.write)]
    if !showsErrors { start.files[2] = .nothing }
    let child = Result { try begin(start) }
    close(pipe.write)
    let process = try child.get()
    let bytes = WholeTransfer.readAll(from: pipe.read, limit: 64 << 20) ?? []
    return (String(decoding: bytes, as: UTF8.self), end(of: process))
  }

  private static func begin(_ start: ChildStart) throws -> pid_t {
    do { return try start.run() } catch {
      throw UsageError(what: "\(error)")
    }
  }

  static func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
