import Encodings
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("A report")
struct ReportTests {
  @Test(":report writes a page that opens here, and -f replaces one")
  func command() {
    var debugger = TestDebugger()
    debugger.type(":report⏎")
    #expect(debugger.message == "Write :report FILE.html for people without a terminal")
    debugger.type(":report my page.html⏎")
    #expect(
      debugger.work.last
        == .report(debugger.state.here, path: "my page.html", replaces: false, RedactionWords()))
    var words = RedactionWords()
    words.keys = ["token"]
    debugger.type("⎋:report -f page.html --redact-key token⏎")
    #expect(
      debugger.work.last == .report(debugger.state.here, path: "page.html", replaces: true, words))
  }

  @Test("hashes and base64 are those of the standards")
  func vectors() {
    func hex(_ text: String) -> String {
      SHA256.hash(text.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
    }
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    for (text, code) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ] {
      #expect(Base64.text(Array(text.utf8)) == code)
    }
  }
}
