import TestSupport
import Testing

@testable import ValueTree

@Suite("Patch scan")
struct PatchScanTests {
  @Test(
    "a patch in text touches a place, those around it and those inside it",
    arguments: [
      (#"[]"#, false),
      (#"[{"op":"replace","path":"/cart/total","value":1}]"#, true),
      (#"[{"op":"replace","path":"/cart/total/net","value":1}]"#, true),
      (#"[{"op":"replace","path":"/cart","value":{}}]"#, true),
      (#"[{"op":"replace","path":"","value":{}}]"#, true),
      (#"[{"op":"replace","path":"/cart/totals","value":1}]"#, false),
      (#"[{"op":"replace","path":"/cart/tot","value":1}]"#, false),
      (#"[{"op":"replace","path":"/carts","value":{"path":"/cart/total"}}]"#, false),
      (#"[{"op":"remove","path":"/a"}, {"op":"remove","path":"/cart/total"}]"#, true),
      (#"[{"op":"move","from":"/cart/total","path":"/a"}]"#, true),
      (#"[ { "value" : 3 , "path" : "/a" , "op" : "add" } ]"#, false),
      // What cannot be told without reading is touched.
      (#"[{"op":"remove","path":"/cart\/total"}]"#, true),
      (#"[{"op":"remove","path":"/\u0061"}]"#, true),
      (#"[{"op":"remove"}]"#, true),
      (#"[{"op":"remove","path":3}]"#, true),
      (#"{}"#, true),
      (#"[{"op":"remove","path":"/a"}"#, true),
    ])
  func touching(text: String, answer: Bool) {
    #expect(PatchScan([["cart", "total"]]).mayTouch(text) == answer)
  }

  @Test("what a patch touches is never missed")
  func agreement() throws {
    let seed: UInt64 = 20_260_104
    var values = RandomValues(generator: SeededGenerator(seed: seed))
    for _ in 0..<2_000 {
      let old = values.value()
      let patch = Patch(from: old, to: values.changed(old))
      let text = patch.value.text()
      for place in [["a"], ["a", "b"], ["/"], ["~", "0"], ["\u{E9}", "id"], []] as [Pointer]
      where patch.touches(place) {
        #expect(PatchScan([place]).mayTouch(text), "\(place) \(text), seed \(seed)")
      }
    }
  }
}
