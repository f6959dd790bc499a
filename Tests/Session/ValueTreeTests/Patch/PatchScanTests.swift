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
      // A path that needs decoding counts as touched.
      (#"[{"op":"remove","path":"/cart\/total"}]"#, true),
      (#"[{"op":"remove","path":"/\u0061"}]"#, true),
      (#"[{"op":"remove"}]"#, true),
      (#"[{"op":"remove","path":3}]"#, true),
      (#"[{"op":"replace","path":0,"value":1}]"#, true),
      (#"[{"op":"add","path":-10,"value":1}]"#, true),
      (#"[{"op":"add","path": "/a","value":1}]"#, false),
      (#"{}"#, true),
      (#"[{"op":"remove","path":"/a"}"#, true),
    ])
  func touching(text: String, answer: Bool) {
    #expect(PatchScan([["cart", "total"]]).mayTouch(text) == answer)
  }

  @Test(
    "new values of the places are told as they are written",
    arguments: [
      (#"[{"op":"replace","path":"/a","value":[1, 2]}]"#, ["0 [1, 2]"]),
      (#"[{"value":"x","path":"/b/c","op":"add"},{"op":"remove","path":"/d"}]"#, [#"1 "x""#]),
      (
        #"[{"op":"replace","path":"/a","value":1},{"op":"replace","path":"/a","value":2}]"#,
        ["0 1", "0 2"]
      ),
      (#"[{"op":"remove","path":"/d"}]"#, []),
      (#"[{"op":"replace","path":"/b","value":1}]"#, nil),
      (#"[{"op":"replace","path":"/a/0","value":1}]"#, nil),
      (#"[{"op":"remove","path":"/a"}]"#, nil),
      (#"[{"op":"test","path":"/a","value":1}]"#, nil),
      (#"[{"op":"replace","path":"/a","value":1},{"op":"remove","path":"/a"}]"#, nil),
      (#"[{"op":"move","path":"/a","from":"/d"}]"#, nil),
      (#"[{"op":"replace","path":"/a"}]"#, nil),
      (#"[{"op":"replace","path":0,"value":1}]"#, nil),
      (#"[{"op":"add","path": 12,"value":1}]"#, nil),
      (#"[{"op":"add","path": "/a","value":1}]"#, ["0 1"]),
    ] as [(String, [String]?)])
  func newValues(text: String, told: [String]?) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var sets: [PatchScan.NewValue] = []
      let touch = PatchScan([["a"], ["b", "c"]]).touch(ValueScanner(bytes), from: 0, &sets)
      #expect((touch == .other) == (told == nil))
      guard let told else { return }
      #expect(
        sets.map { "\($0.place) \(String(decoding: bytes[$0.value], as: UTF8.self))" } == told)
    }
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

extension PatchScan {
  fileprivate func mayTouch(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var sets: [NewValue] = []
      return touch(ValueScanner(bytes), from: 0, &sets) != .nothing
    }
  }
}
