import Platform
import Samples
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

  @Test("a file that would become too long, or is cut off, is refused in a sentence")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(repeating: "x", count: 3 << 20), to: "long.retcon")
    #expect(try Subprocess.run("gzip", ["-qk", path]) == 0)
    #expect(
      throws: UsageError(
        what: "\(path).gz holds more than 1 MB", next: "Unpack it yourself")
    ) { try LocalFile(path + ".gz", in: ["TMPDIR": folder.path], limit: 1 << 20) }
    try folder.shorten("long.retcon.gz", to: 100)
    #expect(
      throws: UsageError(
        what: "\(path).gz cannot be unpacked: gzip ended with 1",
        next: "The file is damaged or was cut off")
    ) { try LocalFile(path + ".gz", in: ["TMPDIR": folder.path]) }
    #expect(folder.names == ["long.retcon", "long.retcon.gz"])
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
