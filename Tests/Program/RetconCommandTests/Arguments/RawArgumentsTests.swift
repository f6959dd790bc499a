import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("Words of the command line that are no UTF-8") struct RawArgumentsTests {
  @Test("a file with such a name is reached through a link, with its place")
  func links() throws {
    let folder = try TemporaryFolder()
    let name = Array(folder("caf").utf8) + [0xE9] + Array(".retcon".utf8)
    let file = (name + [0]).withUnsafeBytes {
      open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_WRONLY | O_CREAT, 0o600)
    }
    #expect(write(file, "hello", 5) == 5)
    close(file)
    let raw = [Array("info".utf8), name, name + Array("@3".utf8), [0xFF]]
    var arguments = RawArguments(raw, in: ["TMPDIR": folder.path])
    #expect(arguments.words[0] == "info")
    #expect(TemporaryFolder.bytes(of: arguments.words[1]) == Array("hello".utf8))
    #expect(arguments.words[2].hasSuffix(".retcon@3"))
    #expect(try FilePosition(arguments.words[2]).step == 3)
    #expect(arguments.words[3] == "\u{FFFD}")
    arguments.removeLinks()
    #expect(folder.names.count == 1)
    _ = (name + [0]).withUnsafeBytes {
      unlink($0.assumingMemoryBound(to: CChar.self).baseAddress!)
    }
  }
}
