import Testing

@testable import Replay

@Suite("The start of a session")
struct SessionStartTests {
  @Test("a date is read to the second")
  func dates() {
    #expect(secondsSince1970("1970-01-01T00:00:00Z") == 0)
    #expect(secondsSince1970("2026-01-05T09:30:00.5Z") == 1_767_605_400.5)
    #expect(secondsSince1970("2000-02-29T23:59:59Z") == 951_868_799)
  }

  @Test(
    "what no calendar has is no date, and no trap",
    arguments: [
      "9223372036854775807-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-01-01T9223372036854775807:00:00Z", "2026-01-01T00:00:1e300Z", "2026-01-01T00:00:nanZ",
      "today", "",
    ])
  func noDates(text: String) {
    #expect(secondsSince1970(text) == nil)
  }
}
