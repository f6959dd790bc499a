import Platform
import SessionImports
import TestSupport
import Testing
import TimeTravel

@Suite("A file of another tool that changes while it is open")
struct ConvertedFileTests {
  @Test("is not followed, which is said once")
  func grows() throws {
    let folder = try TemporaryFolder()
    let path = folder("app.jsonl")
    func append(_ step: Int) throws {
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      defer { close(file) }
      let line = #"{"action":{"type":"add"},"state":{"total":\#(step)}}"# + "\n"
      #expect(Array(line.utf8).withUnsafeBytes { WholeTransfer.write($0, to: file) })
    }
    for step in 1...5 { try append(step) }
    let recording = SessionRecording(try SessionOpener.standard.open(path))
    #expect(try recording.refresh() == nil)
    try append(6)
    let sentence =
      "app.jsonl has changed since it was opened. Retcon follows session files only: "
      + "open it again to see the new steps."
    let news = try recording.refresh()
    #expect(news?.change == .notices)
    #expect(news?.remark == sentence)
    #expect(news?.summary.notices.last == sentence)
    #expect(try recording.refresh() == nil)
    #expect(recording.summary.notices.contains(sentence))
  }
}
