import StoreCore
import StoreMacros
import Testing

/// Public features whose writers have written some of it already.
public final class Engine {
  var power = 1
}

@Reducer public struct Whole: Sendable {
  public struct State: Equatable, Sendable {
    public var count = 1
    public init(from count: Int) { self.count = count }
  }

  public enum Action: Sendable {
    case done(Delegate)
    public enum Delegate: Sendable { case quit }
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

@Reducer public struct Unchecked {
  public struct State: @unchecked Sendable {
    public var engine = Engine()
    public init() {}
  }

  public enum Action { case started }

  /// Not to be sent: the feature says so.
  public struct Part { public let engine = Engine() }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

@available(*, unavailable) extension Unchecked.Part: Sendable {}

@Reducer public struct Extended {
  public struct State {
    public var count = 1
    public var names: [String]? = nil, ratio = -1.5, tags = Set<Int>()
  }

  public enum Action { case started }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

extension Extended.State: Sendable {}
extension Extended.Action: Sendable, Codable, Equatable {}

@Reducer package struct Boxed<Value: Sendable & Equatable> {
  package struct State { package var value: Value }
  package enum Action { case set(Value) }

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .set(let value) = action { state.value = value }
    return .none
  }
}

@Reducer public struct Folder {
  @Reducer(state: .equatable, .codable, action: .equatable, .codable)
  public indirect enum Path {
    case folder(Folder)
    case alert(AlertState<Alert>)

    public enum Alert { case emptied, kept }
  }

  public struct State: Equatable, Codable { public var path = StackState<Path.State>() }

  public enum Action: Equatable, Codable { case path(StackActionOf<Path>) }

  public var body: some ReducerOf<Self> { EmptyReducer().forEach(\.path, action: \.path) }
}

@DependencyClient public struct Tides {
  public var height: @Sendable (_ hour: Int, _ place: String) async throws -> Double
  public var isOpen: @Sendable () -> Bool = { true }
  public var sort: @Sendable (_ places: inout [String]) throws -> Void
}

@Suite("Public features of which some is written by hand")
struct PublicFeatureTests {
  @Test("initialisers take what is given, and keep what is not")
  func initialisers() {
    #expect(Whole.State(from: 3).count == 3)
    let state = Extended.State(ratio: 2)
    #expect(state.count == 1 && state.names == nil && state.ratio == 2 && state.tags == [])
    #expect(Extended.State(tags: [7]).tags == [7])
    var boxed = Boxed<Int>.State(value: 1)
    _ = Boxed<Int>().reduce(into: &boxed, action: .set(2))
    #expect(boxed.value == 2)
  }

  @Test("a circle of public features, with an alert whose actions stay hashable")
  func circle() {
    let inner = Folder.State()
    let state = Folder.State(path: [.folder(inner)])
    #expect(state.path[id: 0] == .folder(inner))
    #expect(Set<Folder.Path.Alert>([.emptied, .kept, .kept]).count == 2)
  }

  @Test("a client reports what it is not prepared for")
  func client() async throws {
    let issues = LockIsolated<[String]>([])
    try await withDependencies {
      $0.issueReporter = IssueReporter { issue in issues.withValue { $0.append(issue.message) } }
    } operation: {
      var tides = Tides()
      #expect(tides.isOpen())
      await #expect(throws: Unimplemented.self) { try await tides.height(hour: 3, place: "Brest") }
      tides.height = { hour, _ in Double(hour) }
      let height = try await tides.height(hour: 3, place: "Brest")
      #expect(height == 3)
      tides.sort = { $0.sort() }
      var places = ["Brest", "Bath"]
      try tides.sort(places: &places)
      #expect(places == ["Bath", "Brest"])
    }
    let end = " was called, but it is not implemented. Set it, in a test with withDependencies."
    #expect(issues.value == ["Tides.isOpen" + end, "Tides.height" + end])
  }
}
