import Testing

@testable import SessionWords

@Suite("Moments as text")
struct UTCTextTests {
  @Test(
    "a moment is written as RFC 3339 does, before 1970 and in leap years too",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (-1_000, "1969-12-31T23:59:59.000Z"),
      (951_782_400_007, "2000-02-29T00:00:00.007Z"),
      (1_461_248_785_265, "2016-04-21T14:26:25.265Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func moments(milliseconds: Int64, text: String) {
    #expect(UTCText.of(milliseconds: milliseconds) == text)
  }

  @Test("a moment is read to the millisecond")
  func read() {
    #expect(UTCText.milliseconds(of: "1970-01-01T00:00:00Z") == 0)
    #expect(UTCText.milliseconds(of: "2026-01-05T09:30:00.5Z") == 1_767_605_400_500)
    #expect(UTCText.milliseconds(of: "2000-02-29T23:59:59Z") == 951_868_799_000)
  }

  @Test(
    "what no calendar has is no moment, and no trap",
    arguments: [
      "9223372036854775807-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
      "2026-01-01T9223372036854775807:00:00Z", "2026-01-01T00:00:1e300Z", "2026-01-01T00:00:nanZ",
      "today", "",
    ])
  func noMoments(text: String) {
    #expect(UTCText.milliseconds(of: text) == nil)
  }

  @Test(
    "a moment outside the years 0 to 9999 has no text",
    arguments: [253_402_300_800_000, -62_167_219_200_001, .max, .min] as [Int64])
  func outside(milliseconds: Int64) {
    #expect(UTCText.of(milliseconds: milliseconds) == nil)
  }
}

@Suite("Times in lists")
struct ListTimeTests {
  @Test("hours have their minutes and seconds")
  func hours() {
    #expect(Duration.milliseconds(12).listText == "12ms")
    #expect(Duration.seconds(200).listText == "3m")
    #expect(Duration.seconds(5_000).listText == "1h 23m 20s")
    #expect(Duration.seconds(90_065).listText == "25h 01m 05s")
  }
}
