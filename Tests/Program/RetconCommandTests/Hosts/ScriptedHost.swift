import HostProtocol
import Platform
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

/// A host written in shell that does what a row of a table says: no code of ours runs on the other
/// side.
struct ScriptedHost {
  let command: HostCommand
  private let folder: TemporaryFolder

  init(_ script: String) throws {
    folder = try TemporaryFolder()
    let file = try folder.write(
      "echo $$ > '\(folder("pid"))'\n\(HostScript.words)\n\(script)\n", to: "host.sh")
    command = HostCommand("/bin/sh", [file])
  }

  var isGone: Bool { HostScript.isGone(folder) }

  /// Returns when the script runs.
  func waitForStart() {
    while folder.bytes("pid").isEmpty { poll(nil, 0, 10) }
  }
}

/// The real program, run to its end.
struct ProgramRun {
  var status: Int32
  var text: String
  /// Of the program itself, in megabytes.
  var memory: Int
  /// The system counts what a process held before it became another program, too: a child of tests
  /// that hold much cannot be measured below that.
  static var memoryOfTests: Int {
    var usage = rusage()
    getrusage(0, &usage)
    return megabytes(usage)
  }

  private static func megabytes(_ usage: rusage) -> Int {
    #if os(macOS)
      usage.ru_maxrss >> 20
    #else
      usage.ru_maxrss >> 10
    #endif
  }

  /// The processor time of the command and of the processes that it waited for.
  var processorSeconds: Double

  /// `talks` mixes standard error into the text.
  init(_ arguments: [String], talks: Bool = true) throws {
    let pipe = try #require(closingPipe())
    var start = ChildStart(BuiltProgram.path("retcon"), arguments)
    start.environment = TestEnvironment.variables()
    start.files = [
      0: .nothing, 1: .descriptor(pipe.write),
      2: talks ? .descriptor(pipe.write) : .nothing,
    ]
    let child = Result { try start.run() }
    close(pipe.write)
    defer { close(pipe.read) }
    let pid = try child.get()
    text = String(
      decoding: WholeTransfer.readAll(from: pipe.read, limit: 1 << 24) ?? [], as: UTF8.self)
    var status: Int32 = 0
    var usage = rusage()
    _ = retryingInterrupted { wait4(pid, &status, 0, &usage) }
    self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    memory = Self.megabytes(usage)
    func seconds(_ time: timeval) -> Double {
      Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
    processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
