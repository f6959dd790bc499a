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

  @Test(
    "messages of an agent read like a chat",
    arguments: [
      (["role": "user", "text": "Buy tea", "id": "#1"], #"user: "Buy tea""#),
      (
        ["role": "assistant", "text": "Look", "tools": [["name": "price", "args": ["n": 1]]]],
        #"assistant: "Look" price(n: 1)"#
      ),
      (
        ["role": "tool", "text": "busy", "name": "price", "status": "error"],
        #"tool price ✗: "busy""#
      ),
      (["role": "remove", "text": "", "id": "#3"], "remove #3"),
      (
        ["role": "user", "blocks": [["type": "text", "text": "See"], ["type": "image_url"]]],
        #"user: "See"# + "\n" + #"(image_url)""#
      ),
      // No messages of the recorder: nothing of them is hidden.
      (["role": "admin", "text": "x"], #"{role: "admin", text: "x"}"#),
      (["role": "user", "text": "x", "age": 3], #"{role: "user", text: "x", age: 3}"#),
      (["role": "user"], #"{role: "user"}"#),
    ] as [(Value, String)])
  func messages(message: Value, text: String) {
    #expect(ValuePreview.text(message) == text)
  }

  @Test("ends where the room ends, and says so")
  func cut() {
    #expect(ValuePreview.text(["title": "A long text"], limit: 12) == #"{title: "A …"#)
    #expect(ValuePreview.text(["title": "A long text"], limit: 12).count == 12)
  }

  @Test(
    "cuts no digits off a number without its size",
    arguments: [
      ("23143356958377796", 8, "2.314e16"), ("1234567890", 8, "1.2345e9"),
      ("123456789", 8, "1.2345e8"),
      ("12345678", 8, "12345678"), ("-123456789.25", 8, "-1.234e8"),
      ("0.142857142857", 8, "0.14285…"),
      ("1.2345678e-12", 8, "1.23e-12"), ("0.0000000001234", 8, "1.23e-10"), ("123456789", 3, "1e8"),
      ("123456789", 2, "…"), ("99999.25", 7, "9.999e4"),
    ])
  func numbers(number: String, width: Int, text: String) throws {
    #expect(ValuePreview.text(try Value(parsing: number), limit: width + 1) == text)
    let inside = ValuePreview.text(["total": try Value(parsing: number)], limit: width + 9)
    #expect(inside.hasPrefix("{total: \(text.prefix(width - 1))"), "\(inside)")
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
      (
        [
          "type": "agent",
          "writes": [
            "messages": [
              [
                "role": "assistant", "text": "",
                "tools": [
                  ["name": "price", "args": ["item": "tea"], "id": "c1"],
                  ["name": "stop", "args": [:], "id": "c2"],
                ],
                "id": "+1",
              ]
            ]
          ],
        ], "agent", #"{writes: {messages: [assistant: price(item: "tea"), stop()]}}"#
      ),
    ] as [(Value, String, String)])
  func payloads(action: Value, label: String, payload: String) {
    #expect(ValuePreview.payload(of: action, label: label) == payload)
  }
}
