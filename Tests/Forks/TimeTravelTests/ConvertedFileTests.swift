import Platform
import SessionImports
import TestSupport
import Testing
import TimeTravel

@Suite("A document of another tool that changes while it is open")
struct ConvertedFileTests {
  @Test("is not followed, which is said once")
  func grows() throws {
    let folder = try TemporaryFolder()
    let list = #"[{"action":{"type":"add"},"before":0,"after":1}"#
    try folder.write(list + "]", to: "app.json")
    let recording = SessionRecording(try SessionOpener.standard.open(folder("app.json")))
    #expect(try recording.refresh() == nil)
    try folder.write(list + "]\n", to: "app.json")
    let sentence =
      "app.json has changed since it was opened, and Retcon does not follow it: "
      + "open it again to see the new steps."
    let news = try recording.refresh()
    #expect(news?.change == .notices)
    #expect(news?.remark == sentence)
    #expect(news?.summary.notices.last == sentence)
    #expect(try recording.refresh() == nil)
    #expect(recording.summary.isOutdated)
    #expect(recording.summary.notices.contains(sentence))
  }
}
