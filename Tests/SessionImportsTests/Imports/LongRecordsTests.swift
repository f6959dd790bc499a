import SessionFile
import TestSupport
import Testing

@testable import SessionImports

@Suite("Records of any length") struct LongRecordsTests {
  @Test(
    "The first time tells the unit, wherever it stands", arguments: ["", "000"], [false, true])
  func lateTime(zeros: String, isList: Bool) throws {
    let lines = (0..<300).map { number in
      let time = number < 200 ? "" : ",\"time\":1700000\(number)\(zeros)"
      return "{\"action\":{\"type\":\"a\"},\"state\":{\"time\":5}\(time)}"
    }
    let text = isList ? "[\(lines.joined(separator: ","))]" : lines.joined(separator: "\n")
    let session = try TemporaryFolder().open(text, as: "log.json")
    #expect(try session.step(200).time == nil)
    #expect(try session.step(201).time == .zero)
    #expect(try session.step(300).time == .seconds(99))
  }
}
