import Testing

@testable import StoreMacrosPlugin

/// The text that the macros write.
@Suite("What the macros write")
struct ExpansionTests {
  static func expand(
    _ macro: String, _ role: String = "member", _ source: String
  ) -> MacroQuestion.Expansion {
    MacroQuestion(
      macro: macro + "Macro", role: role, declaration: source, extendedType: " App.Shape ",
      conformances: "CasePathable"
    ).expansion
  }

  /// `line:column: message`, as a compiler counts.
  static func mistakes(_ macro: String, _ source: String) -> [String] {
    expand(macro, source).diagnostics.map { diagnostic in
      let before = String(decoding: source.utf8.prefix(diagnostic.offset), as: UTF8.self)
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      return "\(lines.count):\((lines.last?.count ?? 0) + 1): \(diagnostic.message)"
    }
  }

  private static func expand(_ macro: String, _ source: String) -> MacroQuestion.Expansion {
    expand(macro, "member", source)
  }

  @Test("a path for each case: without a value, with one, with several")
  func paths() {
    let source = """
      @CasePaths
      public enum Shape {
        case circle(radius: Int), empty
        indirect case line(from: Point, Point = Point(x: ",(", y: 0) /* , */)
      }
      """
    #expect(
      Self.expand("CasePaths", source).source == """
        public struct AllCasePaths: StoreCore.CaseListing {
          public var _caseNames: [Swift.String] { ["circle", "empty", "line"] }

          public var circle: StoreCore.CasePath<Shape, Int> {
            StoreCore.CasePath(embed: { .circle(radius: $0) }) {
              if case let .circle(value0) = $0 { value0 } else { nil }
            }
          }

          public var empty: StoreCore.CasePath<Shape, Swift.Void> {
            StoreCore.CasePath(embed: { .empty }) {
              if case .empty = $0 { () } else { nil }
            }
          }

          public var line: StoreCore.CasePath<Shape, (from: Point, Point)> {
            StoreCore.CasePath(embed: { .line(from: $0.0, $0.1) }) {
              if case let .line(value0, value1) = $0 { (value0, value1) } else { nil }
            }
          }
        }

        public static var allCasePaths: AllCasePaths { AllCasePaths() }
        """)
    #expect(
      Self.expand("CasePaths", "extension", source).source
        == "extension App.Shape: StoreCore.CasePathable {}")
  }

  @Test("an enum of features: states, actions, and the reducer of them all")
  func features() {
    let source = """
      @Reducer enum Destination {
        case alert(AlertState<Alert>)
        case meeting(Meeting, syncUp: SyncUp)
        case record(RecordMeeting)
        @ReducerCaseIgnored case page(Page)
        enum Alert { case confirmed }
      }
      """
    let lines = Self.expand("Reducer", source).source?.split(separator: "\n").map(String.init)
    let cases = lines?.filter { $0.contains("  case ") }
    #expect(
      cases == [
        "  case alert(AlertState<Alert>)", "  case meeting(Meeting, syncUp: SyncUp)",
        "  case record(RecordMeeting.State)", "  case page(Page)", "  case alert(Alert)",
        "  case record(RecordMeeting.Action)",
      ])
    #expect(
      lines?.contains("  StoreCore.EmptyReducer<Self.State, Self.Action>()") == true
        && lines?.contains("    .ifCaseLet(\\.record, action: \\.record) { RecordMeeting() }")
          == true
    )
  }

  @Test("what a member of a feature gets")
  func attributes() {
    func attribute(_ member: String) -> String? {
      Self.expand("Reducer", "memberAttribute", member).source
    }
    #expect(attribute("enum Action { case a }") == "@StoreMacros.CasePaths")
    #expect(attribute("enum Action: Equatable, Sendable { case a }") == "@StoreMacros.CasePaths")
    #expect(attribute("enum Action: CasePathable { case a }") == nil)
    #expect(attribute("@CasePaths enum Action { case a }") == nil)
    #expect(attribute("struct State { var body = 1 }") == nil)
    #expect(
      attribute("var body: some ReducerOf<Self> { Reduce { _, _ in .none } }")
        == "@StoreCore.ReducerBuilder<Self.State, Self.Action>")
    #expect(
      attribute("@ReducerBuilder<State, Action> var body: some ReducerOf<Self> { A() }") == nil)
    #expect(attribute("func reduce(into state: inout State, action: Action) {}") == nil)
    #expect(attribute("@Dependency(\\.date.now) var now") == nil)
  }

  @Test("a feature without state, actions or body gets empty ones")
  func missing() {
    let empty = Self.expand("Reducer", "@Reducer public struct Empty {}").source ?? ""
    #expect(empty.contains("public struct State"))
    #expect(empty.contains("public enum Action"))
    #expect(empty.contains("public var body: some StoreCore.Reducer<Self.State, Self.Action>"))
    let whole = """
      @Reducer struct Whole {
        typealias State = Int
        enum Action {}
        func reduce(into state: inout Int, action: Action) -> Effect<Action> { .none }
      }
      """
    #expect(Self.expand("Reducer", whole).source == "")
  }

  @Test(
    "what cannot be read is told where it stands",
    arguments: [
      (
        "CasePaths", "@CasePaths\nstruct Shape {}",
        "2:8: @CasePaths belongs to an enum; Shape is none."
      ),
      (
        "CasePaths", "@CasePaths enum A {\n  case a\n  #if DEBUG\n  case b\n  #endif\n}",
        "3:3: Cases under a condition cannot be read here. Write the paths by hand: "
          + "struct AllCasePaths, and static let allCasePaths."
      ),
      (
        "CasePaths", "enum A {\n  case a(Int), a(text: String)\n}",
        "2:16: Two cases are called a: no path can say which."
      ),
      (
        "CasePaths", "enum A {\n  @Wrapped(\"x\") case a\n}",
        "2:22: Cases with the attribute @Wrapped(\"x\") cannot be read here."
      ),
      ("CasePaths", "enum A { case a(Int }", "1:21: This closes a bracket that is not open."),
      ("CasePaths", "enum A { case a(\"x }", "1:17: A string is not closed."),
      (
        "Reducer", "@Reducer enum Path<T> { case a(T) }",
        "1:15: An enum of features cannot be generic. Write its State, Action and body by hand."
      ),
      (
        "Reducer", "@Reducer actor Path {}",
        "1:16: @Reducer belongs to a struct or an enum; Path is neither."
      ),
    ])
  func mistakes(macro: String, source: String, mistake: String) {
    #expect(Self.mistakes(macro, source) == [mistake])
  }

  @Test("what only looks like a case is none")
  func disguises() {
    let source = #"""
      enum Action {
        // case comment
        /* case /* nested */ comment */
        case plain // , other
        static let text = "case string \(f("case }")) \\"
        static let long = """
          case many
          } " ""
          """
        static let raw = #"case "raw" \(x)"#
        static let pattern = /case "}/
        static func name(_ action: Action) -> String { switch action { case .plain: "x" } }
        struct Inner { enum Deep { case deep } }
        #if DEBUG
          var debug: Int { 1 }
        #endif
        case `default`, last(() -> [String: (Int, Int)])
      }
      """#
    let written = Self.expand("CasePaths", source)
    #expect(written.diagnostics == [])
    let names = written.source?.split(separator: "\n").filter {
      $0.contains("  var ") && !$0.contains("_case")
    }
    .compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(names == ["plain:", "`default`:", "last:"])
  }

  @Test("garbage is refused, never answered with a crash or with silence")
  func garbage() {
    let sources = [
      "@CasePaths public enum A<T> { @x(1) case b(c: [D: (E) -> F] = \"g\\(h)\"), i }",
      "@Reducer struct A { var a = B<C, D>(), b: [E] { didSet { f = /g/ } }; var h = #\"i\"# }",
    ]
    var random = SystemRandomNumberGenerator()
    var seed = UInt64.random(in: 0...UInt64.max, using: &random)
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<5_000 {
      var broken = Array(sources[next(2)].utf8)
      for _ in 0...next(4) {
        let place = next(broken.count)
        switch next(3) {
        case 0: broken.remove(at: place)
        case 1: broken[place] = UInt8(next(128))
        default: broken = Array(broken.prefix(max(1, place)))
        }
        if broken.isEmpty { broken = [0] }
      }
      let text = String(decoding: broken, as: UTF8.self)
      for macro in ["CasePaths", "Reducer", "BindableState", "FeaturePart", "DependencyClient"] {
        let answer = Self.expand(macro, text)
        #expect(answer.source != nil || !answer.diagnostics.isEmpty, "\(text)")
      }
      #expect(!PluginAnswer.to(broken).isEmpty)
    }
  }
}

@Suite("The talk with the compiler")
struct PluginAnswerTests {
  private static func answer(to message: String) -> String {
    String(decoding: PluginAnswer.to(Array(message.utf8)), as: UTF8.self)
  }

  @Test("says what it understands, and answers what it does not with a mistake")
  func capability() {
    #expect(
      Self.answer(to: #"{"getCapability":{"capability":{"protocolVersion":7}}}"#)
        == #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
    for unknown in [#"{"other":null}"#, "no JSON"] {
      let answer = Self.answer(to: unknown)
      #expect(answer.hasPrefix(#"{"expandMacroResult":{"diagnostics":[{"#), "\(answer)")
      #expect(!answer.contains("expandedSource"))
    }
  }

  @Test("a mistake is placed in the file, counted from where the declaration begins")
  func position() {
    let request = #"""
      {"expandAttachedMacro":{"macro":{"moduleName":"StoreMacrosPlugin","typeName":"CasePathsMacro",
      "name":"CasePaths"},"macroRole":"member","declSyntax":{"kind":"declaration",
      "source":"@CasePaths struct \u0041\uD83D\uDE00 {}","location":{"fileName":"a.swift","offset":100}}}}
      """#
    let answer = Self.answer(to: request)
    #expect(answer.contains(#""position":{"fileName":"a.swift","offset":118}"#), "\(answer)")
  }
}
