import TestSupport
import Testing

/// The compiler's messages about usual mistakes. A message must name the mistake: a second function
/// of the same name, without a label, is enough to spoil it.
@Suite("What the compiler says of usual mistakes", .needs(.compiler))
struct CompilerWordsTests {
  @Test("it names the mistake and nothing else")
  func words() async throws {
    #expect(
      try await Self.errors(in: [
        """
        Reduce { state, action in
          state.child.cuont += 1
          return .none
        }
        """,
        """
        Reduce { state, action in
          switch action {
          case .taped: return .none
          default: return .none
          }
        }
        """,
        """
        Reduce { state, action in
          state.child.count += 1
        }
        """,
        """
        Reduce { state, action in
          .run { [count = state.child.count] send in
            await send(.taped(count))
          }
        }
        """,
        """
        Scope(state: \\.chidl, action: \\.child) { Child() }
        """,
        """
        Scope(state: \\.child, action: \\.sheet) { Child() }
        """,
        """
        EmptyReducer()
          .ifLet(\\.$shete, action: \\.sheet) { Child() }
        """,
        """
        EmptyReducer()
          .forEach(\\.path, action: \\.paht) { Child() }
        """,
      ]) == """
        1:2:15: value of type 'Child.State' has no member 'cuont'
        2:3:9: type 'Feature2.Action' has no member 'taped'
        3:2:21: cannot convert value of type '()' to closure result type \
        'Effect<Feature3.Action>'
        4:3:17: type 'Feature4.Action' has no member 'taped'
        5:1:14: cannot convert value of type 'KeyPath<Feature5.State, Value>' to expected \
        argument type 'WritableKeyPath<Feature5.State, Child.State>'
        5:1:14: value of type 'Feature5.State' has no member 'chidl'
        6:1:42: static method 'buildExpression' requires the types \
        'PresentationAction<Child.Action>' and 'Child.Action' be equivalent
        7:2:10: cannot convert value of type 'KeyPath<Feature7.State, Value>' to expected \
        argument type 'WritableKeyPath<Feature7.State, PresentationState<Child.State>>'
        7:2:10: value of type 'Feature7.State' has no member '$shete'
        8:2:28: value of type 'Feature8.Action.AllCasePaths' has no member 'paht'
        """)
  }

  @Test("in a module of its own, a feature lacks only what its writer knows")
  func publicFeatures() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.publicFeatures, to: "Features.swift")
    let words = try await compilerErrors(in: folder).map { line in
      line.range(of: ": error: ").map { String(line[$0.upperBound...]) } ?? line
    }
    #expect(
      words.sorted().joined(separator: "\n") == """
        @Reducer(state:action:) belongs to an enum of features. Write the protocols of Child at its \
        State and its Action. (from macro 'Reducer')
        cannot convert value of type 'Row.Action.Type' to expected element type 'any Equatable.Type'
        stored property 'engine' of 'Sendable'-conforming struct 'State' has non-Sendable type 'Engine'
        """)
  }

  @Test("without the import, a macro is an unknown attribute")
  func withoutMacros() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "import StoreCore\n@Reducer struct Empty {}\n@CasePaths enum Shape {}\n", to: "Empty.swift")
    #expect(
      try await compilerErrors(in: folder) == [
        "Empty.swift:2:1: error: unknown attribute 'Reducer'",
        "Empty.swift:3:2: error: unknown attribute 'CasePaths'",
      ])
  }

  private static let publicFeatures = """
    import StoreCore
    import StoreMacros

    public final class Engine {}

    @Reducer
    public struct Row {
      public struct State: Equatable {
        public var id: Int
        public var name = "row"
        public var kind = Kind.first
      }
      public enum Kind { case first, second }
      public enum Action {
        case tapped(Detail)
        public struct Detail { public var count = 0 }
      }
      public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }

    @Reducer(state: .equatable)
    public struct Child {
      public typealias State = Int
      public enum Action {}
      public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }

    @Reducer
    public struct Feature {
      @Reducer(state: .equatable)
      public enum Path {
        case row(Row)
        case alert(AlertState<Alert>)
        public enum Alert { case confirmed(Int) }
      }

      @Reducer(action: .equatable)
      public enum Sheet { case row(Row) }

      public struct State {
        public var engine = Engine()
        public var path = StackState<Path.State>()
        @Presents public var sheet: Sheet.State?
      }

      public enum Action {
        case path(StackActionOf<Path>)
        case sheet(PresentationAction<Sheet.Action>)
      }

      public var body: some ReducerOf<Self> {
        EmptyReducer().forEach(\\.path, action: \\.path).ifLet(\\.$sheet, action: \\.sheet)
      }
    }
    """

  private static let child = """
    struct Child: Reducer {
      struct State: Equatable, Sendable { var count = 0 }
      enum Action: Sendable { case tapped }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    """

  private static func feature(_ number: Int, _ body: String) -> String {
    """
    struct Feature\(number): Reducer {
      struct State: Equatable, Sendable {
        var child = Child.State()
        @PresentationState var sheet: Child.State?
        var path = StackState<Child.State>()
      }
      @CasePaths enum Action: Sendable {
        case child(Child.Action), path(StackActionOf<Child>), tapped
        case sheet(PresentationAction<Child.Action>)
      }
      var body: some ReducerOf<Self> {
    #sourceLocation(file: "\(number)", line: 1)
    \(body)
    #sourceLocation()
      }
    }
    """
  }

  /// A line for each: number, line and column of the mistake, and what is said of it.
  private static func errors(in bodies: [String]) async throws -> String {
    let folder = try TemporaryFolder()
    let features = bodies.enumerated().map { feature($0 + 1, $1) }
    try folder.write(
      (["import StoreCore", "import StoreMacros", child] + features).joined(separator: "\n"),
      to: "Features.swift")
    let lines = try await compilerErrors(in: folder)
    return lines.map { $0.replacing(": error: ", with: ": ") }.sorted().joined(separator: "\n")
  }
}
