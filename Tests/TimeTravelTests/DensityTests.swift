import Testing
import TimeTravel

@Suite("How busy a session was")
struct DensityTests {
  @Test("the fastest part is full, the slowest is empty, between them the logarithm counts")
  func levels() throws {
    let seconds = [0.0, 8, 9, 9.125]
    let density = try #require(
      Density(edgeTimes: seconds.map { .seconds($0) }, stepsPerPart: 8))
    #expect(density.levels == [0, 0.5, 1])
  }

  @Test("small differences stay small")
  func even() throws {
    let seconds = [0.0, 8, 16, 20]
    let density = try #require(
      Density(edgeTimes: seconds.map { .seconds($0) }, stepsPerPart: 8))
    #expect(density.levels == [0, 0, 0.5])
  }

  @Test("without times, or with one speed only, there is none")
  func none() {
    #expect(Density(edgeTimes: [nil, nil, nil], stepsPerPart: 1) == nil)
    #expect(Density(edgeTimes: [.seconds(0), .seconds(1), .seconds(2)], stepsPerPart: 1) == nil)
  }
}
