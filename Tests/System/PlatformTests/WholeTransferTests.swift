import Platform
import TestSupport
import Testing

@Suite("Whole reads and writes")
struct WholeTransferTests {
  @Test("more than a pipe holds is written and read whole")
  func pipes() throws {
    let pipe = try #require(closingPipe())
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let writer = try SystemThread.start {
      _ = bytes.withUnsafeBytes { WholeTransfer.write($0, to: pipe.write) }
      close(pipe.write)
    }
    #expect(WholeTransfer.readAll(from: pipe.read) == bytes)
    writer.join()
    close(pipe.read)
  }

  @Test("no more is read than the limit")
  func limit() throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("abcdef", to: "file"), O_RDONLY)
    defer { close(file) }
    #expect(WholeTransfer.readAll(from: file, limit: 4) == Array("abcd".utf8))
  }

  @Test("a read at an offset gives what is there, and less at the end of the file")
  func offset() throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("abcdef", to: "file"), O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(bytes.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: file, at: 4) } == 2)
    #expect(bytes == Array("ef\0\0".utf8))
  }

  @Test("what cannot be read or written says so, with as much as was written")
  func errors() {
    var written = -1
    #expect(![1, 2].withUnsafeBytes { WholeTransfer.write($0, to: -1, written: &written) })
    #expect(written == 0)
    #expect(errno == EBADF)
    #expect(WholeTransfer.readAll(from: -1) == nil)
    #expect(errorText(ENOENT) == "No such file or directory")
  }
}

@Suite("Starting programs")
struct ChildStartTests {
  @Test("a program gets its words, and its output is read")
  func output() throws {
    let pipe = try #require(closingPipe())
    var start = ChildStart("printf", ["%s|", "a b", "c"])
    start.files = [0: .nothing, 1: .descriptor(pipe.write)]
    let child = try start.run()
    close(pipe.write)
    #expect(WholeTransfer.readAll(from: pipe.read) == Array("a b|c|".utf8))
    close(pipe.read)
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    #expect(status == 0)
  }

  @Test("a program that is not there is named")
  func missing() {
    #expect(throws: ChildStart.Failure.self) { try ChildStart("no-such-program", []).run() }
    do { _ = try ChildStart("no-such-program", []).run() } catch {
      #expect("\(error)" == "cannot start no-such-program: No such file or directory")
    }
  }
}
