import SessionFile
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite(
  "Redux DevTools samples", .needs(.samples))
struct ReduxSamplesTests {
  private func open(_ name: String) throws -> SessionReader {
    try SessionOpener.standard.open(SampleFiles.path(name))
  }

  @Test(
    "what Redux DevTools computed for each step equals what the log holds",
    arguments: ["redux-shop.lifted.json", "redux-shop.lifted-refs.json"])
  func computedStates(name: String) throws {
    let session = try open(name)
    let file = try FileBytes(path: SampleFiles.path("redux-shop.lifted.json"))
    let lifted = try Value(parsing: file.bytes(0..<file.count))
    guard case .array(let computed)? = lifted["computedStates"] else {
      Issue.record("the sample has no computed states")
      return
    }
    #expect(session.stepCount == 602)
    #expect(computed.count == 603)
    for (number, entry) in computed.enumerated() {
      #expect(try session.state(after: number) == entry["state"])
    }
  }

  @Test(
    "times, skips, the position and the actions are kept",
    arguments: ["redux-shop.lifted.json", "redux-shop.lifted-refs.json"])
  func kept(name: String) throws {
    let session = try open(name)
    #expect(session.header.origin?.format == "Redux DevTools")
    #expect(session.header.origin?.position == 300)
    #expect(try (1...602).filter { try session.step($0).isSkipped } == [17, 120])
    #expect(try session.state(after: 17) == session.state(after: 16))
    #expect(try session.step(1).time == .zero)
    #expect(try session.step(602).time == .milliseconds(443_147))
    let coupon = try session.step(4)
    #expect(coupon.label == "cart/couponApplied")
    #expect(coupon.action["payload"] == ["code": "SAVE", "amount": 27.89])
    #expect(try session.state(after: 4)["total"] == -0.75)
  }

  @Test("an export without states holds the same actions")
  func actionsOnly() throws {
    let session = try open("redux-shop.default.json")
    let lifted = try open("redux-shop.lifted.json")
    #expect(session.stepCount == 602)
    #expect(session.header.state == nil)
    for number in 1...602 {
      #expect(try session.step(number).action == lifted.step(number).action)
    }
  }

  @Test("an export whose beginning was cut starts from the preloaded state")
  func cut() throws {
    let session = try open("redux-shop.cut.default.json")
    #expect(session.stepCount == 49)
    #expect(session.header.state?["total"] != nil)
    #expect(try session.state(after: 0) == session.header.state)
  }
}
