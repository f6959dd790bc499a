import Platform
import Testing
import ValueTree

/// A thread of Apple's systems has 512 KB of stack, and the main thread of an app 1 MB.
@Suite("On a small stack")
struct SmallStackTests {
  struct Chain: Codable, Sendable {
    var name = "link"
    var next: [Chain] = []

    init(length: Int) {
      for _ in 0..<length {
        var outer = Chain()
        outer.next = [self]
        self = outer
      }
    }

    private init() {}
  }

  static let long = Chain(length: 240)

  static func onSmallStack(_ work: @escaping @Sendable () -> String) throws -> String {
    let said = Locked("")
    try SystemThread.start(stackSize: 256 << 10) {
      let words = work()
      said.withLock { $0 = words }
    }.join()
    return said.withLock { $0 }
  }

  static func error(_ work: () throws -> Void) -> String {
    do {
      try work()
      return "none"
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test("a value too deep for what is left of it is an error, not a crash")
  func encoding() throws {
    let words = try [
      Self.onSmallStack { Self.error { _ = try ValueEncoder().encode(Self.long) } },
      Self.onSmallStack { Self.error { _ = try IncrementalEncoder().encode(Self.long) } },
    ]
    for words in words {
      #expect(words.hasSuffix("containers inside one another fill the thread's stack"))
    }
    #expect(try ValueEncoder().encode(Self.long).text().hasPrefix(#"{"name":"link","next":[{"#))
  }

  @Test("a text too deep for what is left of it does not decode, and does not crash")
  func decoding() throws {
    let value = try ValueEncoder().encode(Self.long)
    let words = try Self.onSmallStack {
      Self.error { _ = try ValueDecoder().decode(Chain.self, from: value) }
    }
    #expect(words.contains("values inside one another fill the thread's stack"))
  }

  @Test("reflection names what lies too deep for what is left of it")
  func reflecting() throws {
    let text = try Self.onSmallStack { Value(reflecting: Self.long).text() }
    #expect(text.contains(#"Chain …>"#))
  }

  @Test("a value of usual depth encodes on it")
  func usual() throws {
    let words = try Self.onSmallStack {
      Self.error { _ = try IncrementalEncoder().encode(Chain(length: 20)) }
    }
    #expect(words == "none")
  }
}
