import SessionWords
import Testing
import TimeTravel

@Suite("The spans of effects")
struct EffectTableTests {
  private func origin(_ step: Int, _ name: String? = nil) -> EffectOrigin {
    EffectOrigin(step: step, name: name, file: "App/Feature.swift", line: 12)
  }

  @Test("an effect touches the steps from its start to its end, and all later ones without an end")
  func touching() {
    let table = EffectTable([
      EffectEvent(effect: 1, step: 2, kind: .started(origin(2, "fetch"))),
      EffectEvent(effect: 2, step: 3, kind: .started(origin(3))),
      EffectEvent(effect: 1, step: 5, kind: .failed("offline")),
    ])
    #expect(table.spans(in: 0...1).isEmpty)
    #expect(table.spans(in: 2...2).map(\.name) == ["fetch"])
    #expect(table.spans(in: 4...5).map(\.name) == ["fetch", "Feature.swift:12"])
    #expect(table.spans(in: 6...9).map(\.number) == [2])
    #expect(table[1]?.end?.manner == .failed("offline"))
    #expect(table[2]?.end == nil)
  }

  @Test("many effects are found by their steps, whichever block they are kept in")
  func many() {
    var table = EffectTable()
    for number in 1...1_000 {
      table.add(EffectEvent(effect: EffectID(number), step: number, kind: .started(origin(number))))
      if number % 100 != 0 {
        table.add(EffectEvent(effect: EffectID(number), step: number + 1, kind: .finished))
      }
    }
    #expect(table.spans(in: 500...500).map(\.number) == [100, 200, 300, 400, 499, 500])
    #expect(
      table.spans(in: 2_000...3_000).map(\.number)
        == stride(from: 100, through: 1_000, by: 100).map { EffectID($0) })
    #expect(table.spans(in: 1...1_000).count == 1_000)
  }
}
