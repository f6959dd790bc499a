import Platform
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("Output that cannot be written")
struct OutputTests {
  /// Runs the program with its standard output on a device that is full, or closed.
  private func run(_ words: [String], output: ChildStart.File) throws -> (Int32, String) {
    let program = BuiltProgram.path("retcon")
    let ends = try #require(closingPipe())
    var start = ChildStart(program, words)
    start.files = [0: .nothing, 1: output, 2: .descriptor(ends.write)]
    let child = try start.run()
    close(ends.write)
    let messages = WholeTransfer.readAll(from: ends.read) ?? []
    close(ends.read)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (status >> 8 & 0xFF, String(decoding: messages, as: UTF8.self))
  }

  @Test("a file for standard output that nobody reads to its end is trouble, too")
  func closedPipe() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter().replacing("$", with: runner.folder)
    for words in [["trim", file, "-r", "1..", "-o", "-"], ["demo", "-o", "-"]] {
      let ends = try #require(closingPipe())
      close(ends.read)
      let (status, messages) = try run(words, output: .descriptor(ends.write))
      close(ends.write)
      #expect(status == 2, "\(words)")
      #expect(
        messages
          == "retcon: standard output cannot be written: Broken pipe. The output is incomplete.\n",
        "\(words)")
    }
  }

  @Test("a reader that wants only the first lines of a log has them, and nothing is said")
  func head() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter().replacing("$", with: runner.folder)
    let ends = try #require(closingPipe())
    close(ends.read)
    let words = ["convert", file, "--to", "chrome-trace"]
    let (status, messages) = try run(words, output: .descriptor(ends.write))
    close(ends.write)
    #expect(status == 0 && messages == "", "\(messages)")
  }

  @Test("each command that prints ends with status 2 and a sentence when the device is full")
  func fullDevice() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter().replacing("$", with: runner.folder)
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"
    for words in [
      ["--version"], ["--help"], ["help", "info"], ["info", file], ["info", file, "--json"],
      ["info", file, "--check"], [file, "--print", "80x24"], ["demo", "--print", "80x24"],
      ["trim", file, "-r", "1..", "-o", "-"], ["demo", "-o", "-"],
      ["verify", file, "--host", host], ["verify", file, "--host", host, "--json"],
    ] {
      let (status, messages) = try run(words, output: .descriptor(full))
      #expect(status == 2, "\(words)")
      #expect(
        messages.contains("standard output cannot be written: No space left on device."), "\(words)"
      )
    }
  }

  @Test(
    "a pipe or a device that is named takes what is written, and stays",
    arguments: [
      ["convert", "FILE", "--to", "redux"], ["convert", "FILE", "--to", "chrome-trace"],
      ["trim", "FILE", "-r", "1.."],
    ])
  func pipe(words: [String]) async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    let words = words.map { $0 == "FILE" ? file : $0 }
    let pipe = "\(runner.folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    for more in [[], ["--force"]] {
      let answer = await runner.run(words + ["-o", "$/pipe"] + more)
      let written = WholeTransfer.readAll(from: reader) ?? []
      #expect(answer.status != .trouble && written.count > 100, "\(words), \(more): \(answer)")
    }
    // A report as a page appears at once under its name, and so do copies of this kind.
    let page = await runner.run(["report", file, "-o", "$/pipe", "--force"])
    #expect(page.messages.contains("a device or a pipe is no file to replace"), "\(page)")
    #expect(fileStatus(of: pipe).map { $0.st_mode & S_IFMT } == S_IFIFO)
  }
}
