import Testing

@testable import StoreMacrosPlugin

/// The members of features in a module of their own.
@Suite("What macros write for public features")
struct ModuleTests {
  private static func attributes(_ member: String, of parent: String) -> String? {
    MacroQuestion(
      macro: "ReducerMacro", role: "memberAttribute", declaration: member, parent: parent
    ).expansion.source
  }

  private static func initialiser(_ state: String) -> String? {
    let source = MacroQuestion(
      macro: "FeaturePartMacro", role: "member", declaration: state
    ).expansion.source
    return source?.split(separator: "\n").first.map(String.init)
  }

  @Test("public types in a feature become Sendable")
  func sendable() {
    let feature = "@Reducer public struct Feature {}"
    func attributes(_ member: String) -> String? { Self.attributes(member, of: feature) }
    #expect(attributes("public struct State: Equatable { }") == "@StoreMacros.FeaturePart")
    #expect(attributes("public enum Tab { case a }") == "@StoreMacros.SendablePart")
    #expect(attributes("package struct Page {}") == "@StoreMacros.SendablePart")
    #expect(attributes("struct State { var a = 1 }") == nil)
    #expect(attributes("public struct Box<Value> {}") == nil)
    #expect(attributes("@Reducer public enum Destination { case a(A) }") == nil)
    let inAction = MacroQuestion(
      macro: "FeaturePartMacro", role: "memberAttribute",
      declaration: "public enum Delegate { case done }")
    #expect(inAction.expansion.source == "@StoreMacros.SendablePart")
  }

  @Test("an extension names the conformances that the compiler misses")
  func conformances() {
    func written(_ missing: String?) -> String? {
      MacroQuestion(
        macro: "ReducerMacro", role: "extension", declaration: "struct A {}", extendedType: "A",
        conformances: missing
      ).expansion.source
    }
    #expect(
      written("struct Placeholder: Reducer, Sendable {}")
        == "extension A: StoreCore.Reducer, Swift.Sendable {}")
    #expect(
      written("struct Placeholder: Sendable {}") == "extension A: Swift.Sendable {}")
    #expect(written("") == nil)
    #expect(written(nil) == nil)
  }

  @Test("an enum of features conforms to what is named, and so do the actions of its alerts")
  func named() {
    let source = """
      @Reducer(state: .codable, .equatable, action: .hashable, .sendable)
      enum Destination {
        case alert(AlertState<Alert>), page(Page)
        enum Alert { case confirmed }
        enum Other { case other }
      }
      """
    let written = MacroQuestion(
      macro: "ReducerMacro", role: "member", declaration: source,
      attribute: "@Reducer(state: .codable, .equatable, action: .hashable, .sendable)"
    ).expansion.source
    let heads = written?.split(separator: "\n").filter { $0.hasPrefix("enum ") }
    #expect(
      heads?.joined(separator: "\n") == """
        enum State: StoreCore.CasePathable, StoreCore.CaseReducerState, Swift.Codable, Swift.Equatable {
        enum Action: StoreCore.CasePathable, Swift.Sendable, Swift.Hashable {
        """)
    #expect(
      Self.attributes("public enum Alert { case confirmed }", of: source)
        == "@StoreMacros.SendablePart\n@StoreMacros.CodablePart\n@StoreMacros.EquatablePart")
    #expect(Self.attributes("enum Other { case other }", of: source) == nil)
  }

  @Test("a public state gets the initialiser that the compiler writes for others")
  func state() {
    #expect(
      Self.initialiser(
        """
        public struct State {
          public var count = 0, name = "a", isOn = true, ratio = 0.5
          public var book: Book
          public var choice: Choice = .all(max: 3)
          public var path = StackState<Path.State>()
          public var title: String?
          public private(set) var last: Int = -1
          @Presents public var sheet: Sheet.State?
          @Shared public var visits: Int
          @Shared(.settings) public var settings
          public var done: (Int) -> Void
          var hidden = 1
          private var secret = Secret()
          public var a, b: Int
          public let fixed = 1
          public let id: Int
          public var both: Int { a + b }
          static let limit = 3
        }
        """) == """
          public init(count: Swift.Int = 0, name: Swift.String = "a", isOn: Swift.Bool = true, \
          ratio: Swift.Double = 0.5, book: Book, choice: Choice? = nil, \
          path: StackState<Path.State>? = nil, title: String? = nil, \
          last: Int = -1, sheet: Sheet.State? = nil, visits: Shared<Int>, \
          done: @escaping (Int) -> Void, hidden: Swift.Int = 1, a: Int, b: Int, id: Int) {
          """)
    #expect(
      Self.initialiser("public struct State {}") == "public init() {")
  }

  @Test("a default that may not be public stays with its property")
  func hiddenDefault() {
    let source = MacroQuestion(
      macro: "FeaturePartMacro", role: "member",
      declaration: "public struct State { public var page: Page = .first, text = \"\\(hidden)\" }"
    ).expansion.source
    #expect(
      source == """
        public init(page: Page? = nil, text: Swift.String? = nil) {
          if let page { self.page = page }
          if let text { self.text = text }
        }
        """)
  }

  @Test(
    "a state gets no initialiser that might not compile",
    arguments: [
      "struct State { var a = 1 }",
      "public struct State { public var a = 1; init() {} }",
      "public struct State { public var a = makeIt() }",
      "public struct State { public var a: Int? = Hidden.number }",
      "public struct State { var a: Hidden = .one }",
      "public struct State { var a: Hidden = 1 }",
      "public struct State { var a = Hidden() }",
      "public struct State { private var a: Int }",
      "public struct State { @Clamped public var a: Int = 1 }",
      "public struct State { public var (a, b) = (1, 2) }",
      "public struct State { public var a = A() + B() }",
    ])
  func noInitialiser(state: String) {
    #expect(Self.initialiser(state) == nil)
  }

  @Test("a reducer gets a public initialiser, too")
  func reducer() {
    let source = ExpansionTests.expand(
      "Reducer", "member",
      """
      @Reducer public struct Feature {
        public typealias State = Int
        public enum Action {}
        @Dependency(\\.clock) var clock
        let limit = 3
        public var body: some ReducerOf<Self> { Other() }
      }
      """
    ).source
    #expect(source == "public init() {\n\n}")
  }

  @Test("protocols belong to the types of a struct, not to its @Reducer")
  func protocolsAtAStruct() {
    let question = MacroQuestion(
      macro: "ReducerMacro", role: "member", declaration: "struct Feature {}",
      attribute: "@Reducer(state: .codable)")
    #expect(
      question.expansion.diagnostics.map(\.message) == [
        "@Reducer(state:action:) belongs to an enum of features. Write the protocols of Feature at "
          + "its State and its Action."
      ])
  }
}
