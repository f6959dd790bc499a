import StoreCore
import Testing

@testable import ReducerHost

struct Visitor {
  struct State: Codable, Equatable, Sendable {
    @Shared var visits: Int
    var name: String
  }
}

@Suite("Values as Swift source")
struct SwiftLiteralTests {
  #if os(Linux)
    @Test("a shared property is set by what it is shared with, and not by its value alone")
    func shared() throws {
      var literal = SwiftLiteral()
      let written = literal.text(Visitor.State(visits: Shared(value: 2), name: "Blob"))
      let text = try #require(written)
      // A shared value outside of a store has a number that counts up in the process.
      let start = ###"Visitor.State(visits: try decoded(##"{"value":2,"shared":"#"###
      #expect(text.hasPrefix(start), "\(text)")
      #expect(text.hasSuffix(###"x"}"##), name: "Blob")"###), "\(text)")
    }
  #endif
}
