import Platform
import StoreCore
import StoreMacros
import StoreTesting
import Testing

@testable import StoreMacrosPlugin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A form whose state says nothing of bindings: the macro lists what views may set.
@Reducer
struct Brewing {
  struct State: Equatable {
    var grams = 5.0
    var steps: Int = 10 { didSet { wasTouched = true } }
    var text = "", isOn = false
    var focus: Field? = .text
    var `default` = [1]
    var choice = Choice.none
    let fixed = 1
    private(set) var wasTouched = false
    static let limit = 3
    var doubled: Int { steps * 2 }
    var half: Int {
      get { steps / 2 }
      set { steps = newValue * 2 }
    }
    @PresentationState var tally: Tally.State?

    enum Field: Codable { case text, steps }
    /// Not `Codable`: setting it could not be recorded.
    enum Choice { case none, some }
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case resetTapped
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.steps):
        state.grams = min(state.grams, Double(state.steps))
      case .binding:
        break
      case .resetTapped:
        state = State()
      }
      return .none
    }
  }
}

/// In a generic feature, by the attribute itself.
enum Wrapped<Value: Codable & Equatable & Sendable> {
  @BindableState
  struct State {
    var value: Value
    var others: [String: Value] = [:]
  }
}

@Suite("Bindings that macros have listed")
struct BindableStateTests {
  @Test("a form whose state lists nothing by hand")
  func form() async throws {
    let store = TestStore(initialState: Brewing.State()) { Brewing() }
    await store.send(.binding(.set(\.steps, 3))) {
      $0.steps = 3
      $0.grams = 3
    }
    await store.send(\.binding, .set(\.isOn, true)) { $0.isOn = true }
    await store.send(.binding(.set(\.half, 4))) { $0.half = 4 }
    await store.send(.resetTapped) { $0 = Brewing.State() }
  }

  @Test("what is listed: all that is visible, can be set, and can be recorded")
  func listed() throws {
    func text(_ action: BindingAction<Brewing.State>) throws -> String {
      let text = try JSONEncoder().encode(action)
      #expect(try JSONDecoder().decode(BindingAction<Brewing.State>.self, from: text) == action)
      return String(decoding: text, as: UTF8.self)
    }
    #expect(try text(.set(\.grams, 1)) == #"{"grams":1}"#)
    #expect(try text(.set(\.text, "a")) == #"{"text":"a"}"#)
    #expect(try text(.set(\.isOn, true)) == #"{"isOn":true}"#)
    #expect(try text(.set(\.focus, nil)) == #"{"focus":null}"#)
    #expect(try text(.set(\.half, 1)) == #"{"half":1}"#)
    #expect(try text(.set(\.default, [2])) == #"{"default":[2]}"#)
    #expect(try text(.set(\.tally, Tally.State(count: 2))) == #"{"tally":{"count":2}}"#)
    let messages = Locked<[String]>([])
    withDependencies {
      $0.issueReporter = IssueReporter { issue in messages.withLock { $0.append(issue.message) } }
    } operation: {
      _ = BindingAction<Brewing.State>.set(\.choice, .some)
    }
    #expect(
      messages.withLock { $0 } == [
        "State does not list this property in its bindings, so setting it is not recorded. "
          + "@Reducer lists those that are visible, Codable, Equatable and Sendable."
      ])
    let generic = BindingAction<Wrapped<Int>.State>.set(\.others, ["a": 1])
    #expect(
      String(decoding: try JSONEncoder().encode(generic), as: UTF8.self)
        == #"{"others":{"a":1}}"#)
  }

  private static func expand(_ source: String) -> MacroQuestion.Expansion {
    ExpansionTests.expand("BindableState", "member", source)
  }

  @Test("properties are read as they may be written")
  func source() {
    let source = #"""
      public struct State: Equatable, Codable {
        var a = 1, b: [String: Int] = ["x, y: 1": 2], c: Map<Int, String> = Map<Int, String>()
        @Shared(.menu(of: 1)) public var d
        var e, f: Int
        private var hidden = 1; var g = if flag { 1 } else { 2 }
        var closure = { (x: Int) in x }
        var h = [1, 2].map { item in
          var inner = item
          return inner
        } { didSet { print("set") } }
        var computed: Int { items.set { $0 } }
        var `in`: Int? {
          _read { yield value } nonmutating _modify { yield &value }
        }
        weak var friend: Friend?
        lazy var late = 1
        func work() { var local = 1 }
        struct Inner { var inner = 1 }
        var last = """
          var text = 1
          """
        init(a: Int) { self.a = a }
      }
      """#
    let lines = Self.expand(source).source?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first == "public static var bindings: StoreCore.BindingTable<Self> {")
    #expect(
      lines.filter { $0.contains("table.list") }.map { $0.split(separator: "\"")[1] }
        == ["a", "b", "c", "d", "e", "f", "g", "closure", "h", "in", "last"])
    #expect(lines.contains(#"  table.list("in", \.`in`)"#))
  }

  @Test("the table is made once, unless what stands around the state is or may be generic")
  func stored() {
    func first(_ enclosing: [String]?, _ state: String = "struct State {}") -> Substring? {
      MacroQuestion(
        macro: "BindableStateMacro", role: "member", declaration: state, enclosing: enclosing
      ).expansion.source?.split(separator: "\n").first
    }
    let computed: Substring = "static var bindings: StoreCore.BindingTable<Self> {"
    let made: Substring = "static let bindings: StoreCore.BindingTable<Self> = {"
    #expect(first(["struct Form {}", "enum App {}"]) == made)
    #expect(first([]) == made)
    #expect(first(["struct Form {}", "enum App<T> {}"]) == computed)
    #expect(first(["extension App {}"]) == computed)
    #expect(first(["struct Form {}", "func work() {}"], "struct State<T> {}") == computed)
    #expect(first(["}"]) == computed)
    #expect(first(nil) == computed)
  }

  @Test("a state gets its table where the actions set its properties, and none is written")
  func attributes() {
    func attribute(_ state: String, _ action: String) -> String? {
      MacroQuestion(
        macro: "ReducerMacro", role: "memberAttribute", declaration: state,
        parent: "@Reducer struct F { \(state)\n \(action)\n }"
      ).expansion.source
    }
    let action = "public indirect enum Action: Equatable, BindableAction { case a }"
    #expect(attribute("struct State { var a = 1 }", action) == "@StoreMacros.BindableState")
    #expect(attribute("struct State { var a = 1 }", "enum Action: Equatable { case a }") == nil)
    #expect(attribute("struct State { static let bindings = B() }", action) == nil)
    #expect(attribute("@BindableState struct State { var a = 1 }", action) == nil)
    #expect(attribute("struct Other { var a = 1 }", action) == nil)
    #expect(
      attribute("struct State: BindableState { var a = 1 }", "typealias Action = Other.Action")
        == "@StoreMacros.BindableState")
  }

  @Test(
    "what cannot be read is told where it stands",
    arguments: [
      (
        "@BindableState\nenum State { case a }",
        "2:6: @BindableState belongs to a struct; State is none."
      ),
      (
        "struct State {\n  var a = 1\n  #if DEBUG\n    var b = 1\n  #endif\n}",
        "3:3: Properties under a condition cannot be listed. Write the list by hand: "
          + "static let bindings."
      ),
      (
        "struct State {\n  var (a, b) = (1, 2)\n}",
        "2:7: Properties in a tuple cannot be listed. Give each a line of its own."
      ),
    ])
  func mistakes(source: String, mistake: String) {
    #expect(ExpansionTests.mistakes("BindableState", source) == [mistake])
  }

  @Test("a hidden property under a condition is nobody's trouble")
  func hiddenUnderCondition() {
    let source =
      "struct State { #if DEBUG\n private var b = 1\n var c: Int { 1 }\n #endif\n var a = 1 }"
    #expect(Self.expand(source).diagnostics == [])
    #expect(Self.expand(source).source?.contains(#"table.list("a", \.a)"#) == true)
  }
}
