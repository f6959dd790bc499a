import Testing

@testable import StoreRecording

@Suite("A clock on tape")
struct TapedClockTests {
  @Test(
    "shows any number that a tape says as a time that a clock can show",
    arguments: [
      (1.5, Duration.milliseconds(1_500)), (1e300, .seconds(9_000_000_000)),
      (-.infinity, .seconds(-9_000_000_000)), (.nan, .zero),
    ])
  func times(seconds: Double, expected: Duration) {
    #expect(ShiftedClock.duration(seconds) == expected)
  }
}
