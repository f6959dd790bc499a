import Platform
import Testing

@Suite("Bugs of our own") struct ImpossibleTests {
  @Test("each place is reported once")
  func onceEach() {
    let notices = BugNotices()
    #expect(
      notices.notice("each fork has a script", file: "A/B.swift", line: 7)
        == """
        retcon: this is a bug of Retcon, please report it: each fork has a script (A/B.swift:7)

        """)
    #expect(notices.notice("each fork has a script", file: "A/B.swift", line: 7) == nil)
    #expect(notices.notice("each fork has a script", file: "A/B.swift", line: 8) != nil)
  }

  @Test("a debug build traps; a release build says it once, and goes on with the value")
  func trapsOrTells() async throws {
    let result = try await #require(
      processExitsWith: isDebug ? .failure : .exitCode(42), observing: [\.standardErrorContent]
    ) {
      var sum = 0
      for number in 20...22 { sum = impossible("a number is none", number + number - 2) }
      exit(Int32(sum))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let count = text.ranges(of: "a number is none").count
    #expect(isDebug ? count > 0 : count == 1, "\(text)")
  }
}

private let isDebug = _isDebugAssertConfiguration()
