import Testing
import ValueTree

@Suite("Members that a macro added") struct MacroMemberTests {
  struct Registrar: MacroMember {
    init() {}
    init(from _: any Decoder) throws {}
    func encode(to _: any Encoder) throws {}
  }

  struct Model: Codable {
    private var _$registrar = Registrar()
    private var _count = 1
    private var _tags: [String] = ["a"]
    var count: Int {
      get { _count }
      set { _count = newValue }
    }
  }

  struct Plain: Codable {
    var _count = 1
  }

  @Test("They are not written, and the others are called as in the source")
  func encoding() throws {
    #expect(try ValueEncoder().encode(Model()).text() == #"{"count":1,"tags":["a"]}"#)
    #expect(try ValueEncoder().encode(Plain()).text() == #"{"_count":1}"#)
    let encoder = IncrementalEncoder()
    var model = Model()
    _ = try encoder.encode(model)
    model.count = 2
    #expect(try encoder.encode(model).text() == #"{"count":2,"tags":["a"]}"#)
  }

  @Test("Reading makes new ones")
  func decoding() throws {
    let model = try ValueDecoder().decode(Model.self, from: ["count": 7, "tags": []])
    #expect(model.count == 7)
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(Model.self, from: ["tags": []])
    }
  }
}
