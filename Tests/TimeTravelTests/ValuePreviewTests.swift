import Testing
import TimeTravel
import ValueTree

@Suite("A value on one line")
struct ValuePreviewTests {
  @Test("shows small values whole")
  func whole() {
    #expect(
      ValuePreview.text(["title": "Tea", "sizes": [1, 2.5], "sold": false, "by": .null])
        == #"{title: "Tea", sizes: [1, 2.5], sold: false, by: null}"#)
  }

  @Test("ends where the room ends, and says so")
  func cut() {
    #expect(ValuePreview.text(["title": "A long text"], limit: 12) == #"{title: "A …"#)
    #expect(ValuePreview.text(["title": "A long text"], limit: 12).count == 12)
  }

  @Test("looks only at what it shows")
  func bounded() {
    let long = Value.array(ValueArray(repeatElement("x", count: 1_000_000)))
    #expect(ValuePreview.text(long, limit: 9) == #"["x", "x…"#)
    #expect(!ValuePreview.fits(long, in: 80))
    #expect(ValuePreview.fits(["a": 1], in: 6))
    #expect(!ValuePreview.fits(["a": 1], in: 5))
  }

  @Test(
    "a payload is what the label does not say",
    arguments: [
      (["nameChanged": ["_0": "St"]], "nameChanged", #""St""#),
      (["child": ["save": [:]]], "child.save", ""),
      (["child": ["_0": ["saved": ["_0": "A", "at": 3]]]], "child.saved", #"("A", at: 3)"#),
      (["type": "cart/added", "id": 7], "cart/added", "{id: 7}"),
      (["type": "cart/added", "payload": ["id": 7]], "cart/added", "{id: 7}"),
      ("increment", "increment", ""),
    ] as [(Value, String, String)])
  func payloads(action: Value, label: String, payload: String) {
    #expect(ValuePreview.payload(of: action, label: label) == payload)
  }
}
