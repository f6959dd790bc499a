import HostProtocol
import Platform

enum Subprocess {
  /// Runs a program in this terminal, or with a text as its input. Uses no shell. Returns its exit
  /// status.
  static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> Int32 {
    var start = ChildStart(program, arguments)
    guard let input else {
      do { return end(of: try start.run()) } catch { throw UsageError(what: "\(error)") }
    }
    start.files = [1: .nothing, 2: .nothing]
    let (child, pipe) = try start.run(piping: 0)
    try? FileSystem.write(input, to: pipe)
    close(pipe)
    return end(of: child)
  }

  /// The path of the first of these programs that a folder of `PATH` holds.
  static func path(of programs: [String], in environment: [String: String]) -> String? {
    programs.lazy.compactMap { programPath($0, in: environment["PATH"]) }
      .first { access($0, X_OK) == 0 }
  }

  /// Runs a program in a folder and reads its standard output.
  static func output(
    of words: [String], in folder: String, showsErrors: Bool
  ) throws -> (text: String, status: Int32) {
    var start = ChildStart(
      "/bin/sh", ["-c", #"cd "$1" && shift && exec "$@""#, "sh", folder] + words)
    start.files[0] = .nothing
    if !showsErrors { start.files[2] = .nothing }
    let (process, pipe) = try start.run(piping: 1)
    defer { close(pipe) }
    let bytes = WholeTransfer.readAll(from: pipe, limit: 64 << 20) ?? []
    return (String(decoding: bytes, as: UTF8.self), end(of: process))
  }

  static func end(of child: pid_t) -> Int32 {
    let status = waitStatus(of: child)
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  static func waitStatus(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    return status
  }
}

extension ChildStart {
  /// Starts it with one of its files on a pipe, and returns the other end.
  func run(piping file: Int32) throws(UsageError) -> (process: pid_t, pipe: Int32) {
    guard let pipe = closingPipe() else {
      throw UsageError(what: "cannot make a pipe: \(errorText(errno))")
    }
    let (its, other) = file == 0 ? (pipe.read, pipe.write) : (pipe.write, pipe.read)
    defer { close(its) }
    var start = self
    start.files[file] = .descriptor(its)
    do { return (try start.run(), other) } catch {
      close(other)
      throw UsageError(what: "\(error)")
    }
  }
}
