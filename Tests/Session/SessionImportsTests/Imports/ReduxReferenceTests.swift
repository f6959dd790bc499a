import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("References in a Redux export")
struct ReduxReferenceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reference(_ rest: String) -> String {
    #"{"$jsan":"$.computedStates\#(rest)"}"#
  }

  /// One state a step, the first one after the start.
  private func export(_ states: [String], end: String = "") -> String {
    let actions = states.indices.map { #""\#($0)":{"action":{"type":"a"}}"# }
    return """
      {"actionsById":{\(actions.joined(separator: ","))},"stagedActionIds":\(Array(states.indices)),
      "computedStates":[\(states.map { "{\"state\":\($0)}" }.joined(separator: ","))\(end)]}
      """
  }

  @Test(
    "references beside damage tell the same as a whole, in pieces and each time",
    arguments: [
      (#"[0].state.x"#, 7), (#"[9].state.x"#, "[Reference $.computedStates[9].state.x]"),
    ] as [(String, Value)])
  func damaged(place: String, value: Value) throws {
    let state = #"{"x":7,"a":\#(reference(place))}"#
    let text = export([state, state], end: #","b":3"#)
    let whole = try folder.open(text, as: "whole.json")
    let pieces = try SessionOpener.standard.open(folder("whole.json"), piece: 1)
    while !pieces.isScanned { _ = try pieces.refresh() }
    #expect(whole.steps == 0...1 && pieces.steps == 0...1)
    for session in [whole, pieces, whole] {
      for number in 0...1 {
        #expect(try session.state(after: number) == ["x": 7, "a": value])
      }
    }
  }

  @Test("a cycle of references is cut in the same place, whichever step is read first")
  func cycles() throws {
    let circle = #"{"a":{"n":\#(reference("[2].state.b"))},"b":{"n":\#(reference("[2].state.a"))}}"#
    let text = export(["0", "1", circle, reference("[2].state.a")])
    let cut: Value = ["n": ["n": "[Circular]"]]
    for order in [[2, 3], [3, 2]] {
      let session = try folder.open(text, as: "circle.json")
      for number in order {
        let state = try session.state(after: number)
        #expect(state == (number == 2 ? ["a": ["n": cut], "b": ["n": cut]] : cut), "\(order)")
      }
    }
  }

  @Test("a list of actions has references into itself, too")
  func list() throws {
    let text = #"[{"type":"a","x":{"n":1}},{"type":"b","x":{"$jsan":"$[0].x"}}]"#
    #expect(try folder.open(text, as: "list.json").step(2).action["x"] == ["n": 1])
  }

  @Test("cycles that multiply are turned away")
  func multiplied() throws {
    let places = (0..<24).map { "[\($0)].state" }
    let states = places.map { own in
      "[\(places.filter { $0 != own }.map(reference).joined(separator: ","))]"
    }
    let session = try folder.open(export(["0"] + states), as: "bomb.json")
    #expect(throws: SessionError.self) { try session.state(after: 3) }
  }
}
