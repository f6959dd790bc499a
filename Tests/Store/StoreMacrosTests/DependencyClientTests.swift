import Testing

@testable import StoreMacrosPlugin

@Suite("What @DependencyClient writes")
struct DependencyClientTests {
  @Test("initialisers, closures that report an issue, and methods with labels")
  func client() {
    let source = """
      @DependencyClient
      public struct FactClient {
        public var fact: @Sendable (_ number: Int, _ isShort: Bool) async throws -> String
        public var save:
          @Sendable (String) async -> Void
        var isOnline: @Sendable () -> Bool = { false }
        public var prefix = "a"
        var sort: @Sendable (_ facts: inout [String]) -> Void
      }
      """
    #expect(
      ExpansionTests.expand("DependencyClient", "member", source).source == """
        public init(fact: @escaping @Sendable (_ number: Int, _ isShort: Bool) async throws -> String, \
        save: @escaping @Sendable (String) async -> Void, isOnline: @escaping @Sendable () -> Bool, \
        prefix: Swift.String = "a", sort: @escaping @Sendable (_ facts: inout [String]) -> Void) {
          self.fact = fact
          self.save = save
          self.isOnline = isOnline
          self.prefix = prefix
          self.sort = sort
        }

        public init() {
          self.fact = { value0, value1 in throw StoreCore.Unimplemented("FactClient.fact") }
          self.save = { value0 in _ = StoreCore.Unimplemented("FactClient.save") }
          let isOnline = self.isOnline
          self.isOnline = {
            _ = StoreCore.Unimplemented("FactClient.isOnline")
            return isOnline()
          }
          self.sort = { value0 in _ = StoreCore.Unimplemented("FactClient.sort") }
        }

        public func fact(number value0: Int, isShort value1: Bool) async throws -> String {
          try await self.fact(value0, value1)
        }

        func sort(facts value0: inout [String]) -> Void {
          self.sort(&value0)
        }
        """)
  }

  @Test(
    "what cannot be written is told where it stands",
    arguments: [
      (
        "@DependencyClient enum Client {}",
        "1:24: @DependencyClient belongs to a struct; Client is none."
      ),
      (
        "struct Client {\n  var count: () -> Int\n}",
        "2:7: count cannot throw, so it needs a value for tests: var count: () -> Int = { … }."
      ),
      ("struct Client {\n  var count = make()\n}", "2:7: count needs a type: var count: Type."),
    ])
  func mistakes(source: String, mistake: String) {
    #expect(ExpansionTests.mistakes("DependencyClient", source) == [mistake])
  }
}
