import Platform
import Samples
import SessionFile
import SessionImports
import SessionWords
import TestSupport
import Testing

@testable import RetconCommand

@Suite("Sessions that are packed") struct LocalFileTests {
  private static let text = """
    {"retcon":"1.0","can":"replay","states":"every","state":{"total":0}}
    {"step":1,"label":"add","action":1,"cause":"user","patch":[{"op":"replace","path":"/total","value":1}]}

    """

  @Test(
    "a packed session opens like every other, and leaves nothing behind",
    arguments: ["gzip", "xz", "zstd"])
  func packed(program: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.text, to: "cart.retcon")
    // Not every system has all of them.
    guard (try? Subprocess.run(program, ["-qk", path])) == 0 else { return }
    let packed = try #require(folder.names.first { $0 != "cart.retcon" })
    let local = try LocalFile(folder(packed), in: ["TMPDIR": folder.path])
    #expect(local.path.hasSuffix("/cart.retcon"))
    #expect(local.original == folder(packed))
    #expect(TemporaryFolder.bytes(of: local.path) == Array(Self.text.utf8))
    let session = try SessionArgument(file: folder(packed)).open()
    #expect(session.path == folder(packed))
    #expect(try session.state(after: 1) == ["total": 1])
    #expect(folder.names.count == 3)
    withExtendedLifetime(local) {}
  }

  @Test("an error names the packed file, not its copy")
  func named() async throws {
    let runner = try CommandRunner()
    _ = try runner.write("", as: "cart.retcon")
    #expect(try Subprocess.run("gzip", ["-q", runner.folder + "/cart.retcon"]) == 0)
    for command in ["steps", "info"] {
      let words = await runner.run(command, "$/cart.retcon.gz").messages
      #expect(words.hasPrefix("retcon: $/cart.retcon.gz: the file is empty."), "\(words)")
    }
  }

  @Test("packed lines of another tool are read where they were unpacked")
  func packedLines() throws {
    let folder = try TemporaryFolder()
    let lines = (1...300).map { #"{"action":{"type":"add"},"state":{"total":\#($0)}}"# + "\n" }
    let path = try folder.write(lines.joined(), to: "cart.jsonl")
    #expect(try Subprocess.run("gzip", ["-q", path]) == 0)
    let session = try SessionArgument(file: path + ".gz").open()
    #expect(session.isReadInPlace)
    #expect(session.steps == 0...300)
    #expect(try session.state(after: 300) == ["total": 300])
    #expect(folder.names == ["cart.jsonl.gz"])
  }

  @Test("a file that would become too long, or is cut off, is refused in a sentence")
  func refused() throws {
    let folder = try TemporaryFolder()
    let long = Self.text + String(repeating: "x", count: 3 << 20)
    let path = try folder.write(long, to: "long.retcon")
    #expect(try Subprocess.run("gzip", ["-qk", path]) == 0)
    #expect(
      throws: UsageError(
        what: "\(path).gz holds more than 1 MB",
        next: "Unpack it yourself, or allow more: RETCON_UNPACK_LIMIT=MB in the environment")
    ) {
      try LocalFile(path + ".gz", in: ["TMPDIR": folder.path, "RETCON_UNPACK_LIMIT": "1"])
    }
    try folder.shorten("long.retcon.gz", to: 100)
    #expect(
      throws: UsageError(
        what: "\(path).gz cannot be read: gzip ended with 1",
        next: "The file is damaged or was cut off. Save what is whole: gzip -dc \(path).gz > PART")
    ) { try LocalFile(path + ".gz", in: ["TMPDIR": folder.path]) }
    #expect(folder.names == ["long.retcon", "long.retcon.gz"])
  }

  @Test("a file that wants a gigabyte of memory for unpacking does not get it")
  func greedy() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.text, to: "cart.retcon")
    guard (try? Subprocess.run("xz", ["-qk", "--lzma2=dict=1GiB", path])) == 0 else { return }
    #expect(throws: UsageError.self) {
      try LocalFile(path + ".xz", in: ["TMPDIR": folder.path])
    }
    #expect(folder.names == ["cart.retcon", "cart.retcon.xz"])
  }

  @Test("a large first record is copied to its end, which tells the tool")
  func largeRecord() throws {
    let folder = try TemporaryFolder()
    let state = String(repeating: "x", count: 700_000)
    let path = try folder.write(
      "{\"prevState\":\"\(state)\",\"action\":{\"type\":\"a\"},\"nextState\":1}\n", to: "log")
    let input = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    var told: [String] = []
    let local = try LocalFile("-", in: ["TMPDIR": folder.path], input: input) { told.append($0) }
    #expect(Set(told) == ["0 MB"])
    #expect(try SessionOpener.standard.open(local.path).steps == 0...1)
  }

  @Test("a packed file whose first bytes are no session is not unpacked any further")
  func noSession() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 0x78, count: 64 << 20), to: "bomb")
    #expect(try Subprocess.run("gzip", ["-q", path]) == 0)
    var looks = 0
    let error = #expect(throws: SessionError.self) {
      try LocalFile(path + ".gz", in: ["TMPDIR": folder.path]) { _ in looks += 1 }
    }
    #expect(error?.path == path + ".gz")
    #expect(looks < 100)
    #expect(folder.names == ["bomb.gz"])
  }

  @Test("unpacking says how far it is, stops when it is asked to, and leaves nothing")
  func stopped() throws {
    let folder = try TemporaryFolder()
    var text = Self.text
    for number in 2...60_000 {
      text += "{\"step\":\(number),\"label\":\"add\",\"action\":\(number &* 48_271 % 9_973)}\n"
    }
    let path = try folder.write(text, to: "long.retcon")
    #expect(try Subprocess.run("gzip", ["-q", path]) == 0)
    var shares: [Int] = []
    let local = try LocalFile(path + ".gz", in: ["TMPDIR": folder.path]) {
      shares.append(Int($0.dropLast(2)) ?? -1)
    }
    #expect(shares == shares.sorted() && shares.count > 4)
    #expect(shares.allSatisfy { (0...100).contains($0) })
    withExtendedLifetime(local) {}
    #expect(throws: CancellationError.self) {
      try LocalFile(path + ".gz", in: ["TMPDIR": folder.path]) { _ in throw CancellationError() }
    }
    #expect(folder.names.count == 2)
    #if os(Linux)
      // Nothing but a link has a name: the data goes with the process.
      var target = [CChar](repeating: 0, count: 256)
      #expect(readlink(local.path, &target, 255) > 0)
    #endif
  }

  @Test("a pipe by name says how it is read")
  func pipe() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder("fifo"), 0o600) == 0)
    #expect(
      throws: UsageError(
        what: "\(folder("fifo")) is a device or a pipe, and - reads those",
        next: "Write for example cat FILE | retcon info -")
    ) { try SessionArgument(file: folder("fifo")).open() }
  }

  @Test("a demo that was saved knows its sample's host, and no other session does")
  func demo() async throws {
    let folder = try TemporaryFolder()
    await CounterSample.recordDemo(to: folder("demo.retcon"))
    let host = ServeSampleCommand.host(ofDemoAt: folder("demo.retcon"))
    #expect(host?.text.hasSuffix("serve-sample counter") == true)
    #expect(
      ServeSampleCommand.host(ofDemoAt: try folder.write(Self.text, to: "cart.retcon")) == nil)
  }
}
