import Testing

@testable import Platform

@Suite("Ascending runs")
struct AscendingRunTests {
  @Test(
    "the longest one is found, and its numbers ascend",
    arguments: [
      ([], []), ([7], [0]), ([3, 1, 2, 0, 4], [1, 2, 4]), ([4, 3, 2], [2]), ([1, 1, 2], [1, 2]),
    ] as [([Int], [Int])])
  func runs(numbers: [Int], places: [Int]) { #expect(ascendingRun(in: numbers) == places) }
}
