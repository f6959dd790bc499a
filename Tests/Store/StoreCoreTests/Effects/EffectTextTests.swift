import Testing

@testable import StoreCore

private enum PrivateID: Hashable { case one }

@Suite("How an effect is known")
struct EffectTextTests {
  enum CancelID: Hashable { case work(Int) }

  @Test("the text of an id has its type, and nothing that changes from run to run")
  func idTexts() {
    enum LocalID: Hashable { case two }
    #expect(AnyID("x").description == "Swift.String(x)")
    #expect(
      AnyID(CancelID.work(3)).description
        == "StoreCoreTests.EffectTextTests.CancelID(work(3))")
    #expect(AnyID(PrivateID.one).description == "StoreCoreTests.PrivateID(one)")
    #expect(AnyID(LocalID.two).description == "StoreCoreTests.EffectTextTests.LocalID(two)")
    #expect(AnyID([LocalID.two]).description.contains("0x") == false)
  }

  @Test("ids are equal only when their types are")
  func equality() {
    #expect(AnyID(1) == AnyID(1))
    #expect(AnyID(1) != AnyID(1.0))
    #expect(AnyID("x") != AnyID(Substring("x")))
    #expect(AnyID(Int?.some(1)) != AnyID(1))
  }

  @Test("an effect has its name, place, ordinal and ids; those of children say which child")
  func effects() throws {
    let child = EffectPathElement(place: AnyID("child"), identity: AnyID(7))
    let inner = Effect<Int>.run(name: "inner") { _ in }.cancellable(id: CancelID.work(1))
    let line: UInt = #line + 1
    let outer = Effect<Int>.run(name: "outer") { _ in }
    let effect = Effect<Int>.concatenate(
      outer, Effect(operation: .inChild(child, inner.operation)))
    var ledger = EffectLedger<Int>()
    let first = ledger.accept(effect, from: EffectStart(step: 4, root: 2))
    guard case .start(let started, _) = first.first else {
      Issue.record("nothing was started")
      return
    }
    #expect(started.name == "outer")
    #expect(started.fileID == "StoreCoreTests/EffectTextTests.swift")
    #expect(started.line == Int(line))
    #expect((started.step, started.rootStep, started.ordinal) == (4, 2, 1))
    #expect(started.cancelID == nil)
    let next = ledger.ended(started.number)
    guard case .start(let second, _) = next.first else {
      Issue.record("nothing went on")
      return
    }
    #expect((second.step, second.rootStep, second.ordinal) == (4, 2, 2))
    #expect(
      second.cancelID
        == "Swift.String(child)[Swift.Int(7)] StoreCoreTests.EffectTextTests.CancelID(work(1))")
    #expect(second.path == ["Swift.String(child)[Swift.Int(7)]"])
  }

  @Test("an effect that another architecture runs is known by texts")
  func foreign() throws {
    let site = EffectSite(
      name: "fetch", fileID: "App/Row.swift", line: 7, path: ["rows", "3"], cancelID: "ID(fetch)")
    var ledger = EffectLedger<Int>()
    let commands = ledger.accept(.run(site: site), from: EffectStart(step: 1, root: 1))
    guard case .start(let effect, _) = commands.first else {
      Issue.record("nothing was started")
      return
    }
    #expect((effect.name, effect.fileID, effect.line) == ("fetch", "App/Row.swift", 7))
    #expect(effect.path == ["rows", "3"])
    #expect(effect.cancelID == "rows 3 ID(fetch)")
  }
}
