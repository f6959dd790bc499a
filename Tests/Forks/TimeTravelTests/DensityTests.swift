import Testing
import TimeTravel

@Suite("How busy a session was")
struct DensityTests {
  private func density(_ seconds: [Double?]) -> Density {
    Density(
      0...8 * (seconds.count - 1), edgeTimes: seconds.map { $0.map { .seconds($0) } })
  }

  @Test("the fastest part is full, the slowest is empty, between them the logarithm counts")
  func levels() {
    #expect(density([0, 8, 9, 9.125]).levels == [0, 0.5, 1])
  }

  @Test("small differences stay small")
  func even() {
    #expect(density([0, 8, 16, 20]).levels == [0, 0, 0.5])
  }

  @Test("without times, or with one speed only, there is none")
  func none() {
    #expect(density([nil, nil, nil]).levels == [])
    #expect(density([0, 1, 2]).levels == [])
  }

  @Test("a step between two known times was between them; one behind the last is as far as before")
  func seconds() {
    let density = density([0, 8, 10])
    #expect([0, 4, 8, 12, 16, 24].map(density.seconds(at:)) == [0, 4, 8, 9, 10, 15])
  }

  @Test("a clock that was put back does not run backwards, and an unknown time is that before it")
  func clockPutBack() {
    #expect(density([0, 8, 4, nil, 9]).seconds == [0, 8, 8, 8, 9])
  }
}
