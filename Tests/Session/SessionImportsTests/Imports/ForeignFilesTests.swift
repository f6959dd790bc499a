import Glibc
import SessionImports
import SessionWords
import TestSupport
import Testing
import ValueTree

/// For each file, the answer is a session or one sentence with the file, the problem, and what to
/// do.
@Suite("Foreign files") struct ForeignFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let next =
    "A session begins with a line like {\"retcon\":\"1.0\",…}; "
    + "exports of Redux DevTools and JSON Lines with `action`, `state` or `type` can be "
    + "opened too: see docs/imports.md."
  private static let damaged = "The file is damaged or was cut off; export it again."

  private func sentence(_ path: String) -> String? {
    do {
      _ = try SessionOpener.standard.open(path)
      return nil
    } catch {
      return (error as? any Explained)?.sentence.replacing(folder.path + "/", with: "")
    }
  }

  @Test(
    "A file of something else is told what it looks like",
    arguments: [
      ([0x00, 0x01, 0xFE, 0x7F], "the file holds binary data"),
      ([0x1F, 0x8B, 0x08, 0x00], "it looks like a gzip archive; unpack it first"),
      ([0x50, 0x4B, 0x03, 0x04], "it looks like a zip archive; unpack it first"),
      ([0x28, 0xB5, 0x2F, 0xFD], "it looks like a zstd archive; unpack it first"),
      ([0xFF, 0xFE, 0x7B, 0x00], "it looks like text in UTF-16"),
      ([UInt8](repeating: 0, count: 3_000), "the file begins with zero bytes"),
      (
        Array("<!DOCTYPE html>\n<html>".utf8), "the first line is \"<!DOCTYPE html>\""
      ),
      (Array("step,label\n".utf8), "the first line is \"step,label\""),
      (Array("{\"a\":1}\n".utf8), "the first line is \"{\"a\":1}\""),
      (Array("[1,2]\n".utf8), "the first line is \"[1,2]\""),
      (Array("\"text\"\n".utf8), "the first line is \"\"text\"\""),
      (
        [UInt8](repeating: UInt8(ascii: "["), count: 200_000),
        "the first line is \"\(String(repeating: "[", count: 40))…\""
      ),
      (
        [0xEF, 0xBB, 0xBF] + Array("{\"retcon\":\"1.0\"}\n".utf8),
        "a byte order mark stands before the header; save it without one"
      ),
    ] as [([UInt8], String)])
  func foreign(bytes: [UInt8], found: String) throws {
    try folder.write(bytes, to: "file")
    #expect(
      sentence(folder("file")) == "file, line 1: this is not a session: \(found). \(Self.next)")
  }

  @Test(
    "An export that is cut or damaged says where and why",
    arguments: [
      (
        "{\"actionsById\":{\"0\":",
        "file, byte 20: expected the end of an object or array, found the end of the file. "
          + damaged
      ),
      (
        "{\"payload\":\"[{",
        "file, byte 14: expected the end of a string, found the end of the file. " + damaged
      ),
      ("{\"payload\":42}", "file, byte 11: expected '[', found '4'. " + damaged),
      (
        "{\"retcon\":\"1.0\",\"state\":",
        "file, line 1: the header cannot be used: it is cut, and no step follows. "
          + "Repair the first line or record again."
      ),
      (
        "{\"retcon\":\"9.0\"}\n",
        "file, line 1: the session has format 9.0, this program reads format 1. Update retcon."
      ),
    ])
  func cut(text: String, expected: String) throws {
    try folder.write(text, to: "file")
    #expect(sentence(folder("file")) == expected)
  }

  @Test("What is no file is said to be that, and nobody waits for it")
  func noFile() throws {
    #expect(mkfifo(folder("pipe"), 0o600) == 0)
    let device = "this is not a session: a device or a pipe. " + Self.next
    #expect(sentence(folder("pipe")) == "pipe: " + device)
    #expect(sentence("/dev/zero") == "/dev/zero: " + device)
    #expect(sentence("/dev/null") == "/dev/null: " + device)
    #expect(mkdir(folder("folder"), 0o700) == 0)
    #expect(
      sentence(folder("folder")) == "folder: this is a folder, not a session. Name a file in it.")
    rmdir(folder("folder"))
    #expect(sentence(folder("none")) == "none: there is no such file. Check the name.")
    try folder.write("", to: "empty")
    #expect(
      sentence(folder("empty")) == "empty: the file is empty. Nothing was recorded; "
        + "check that the app called the recorder and finished it.")
  }

  @Test("Numbers of any size are no trouble")
  func hugeNumbers() throws {
    let digits = String(repeating: "9", count: 100_000)
    try folder.write("[{\"type\":\"a\",\"n\":1e999999999,\"m\":\(digits)}]", to: "huge.json")
    let session = try SessionOpener.standard.open(folder("huge.json"))
    #expect(try session.step(1).action["m"]?.text() == digits)
    #expect(try session.step(1).action["n"]?.text() == "1e999999999")
  }
}
