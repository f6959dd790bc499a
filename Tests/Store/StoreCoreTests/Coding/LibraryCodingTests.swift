import StoreCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes and reads the library's types in states and actions.
@Suite("Library types go there and back")
struct LibraryCodingTests {
  struct Item: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var title: String
  }

  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func expect<Kind: Codable & Equatable>(
    _ value: Kind, as expected: String, _ place: SourceLocation = #_sourceLocation
  ) throws {
    let text = try text(value)
    #expect(text == expected, sourceLocation: place)
    let back = try JSONDecoder().decode(Kind.self, from: Array(text.utf8).data)
    #expect(back == value, sourceLocation: place)
  }

  @Test("a stack keeps its ids and the next one")
  func stack() throws {
    var stack = StackState(["a", "b", "c"])
    stack.pop(from: 1)
    stack.append("d")
    try expect(stack, as: #"{"elements":["a","d"],"ids":[0,3],"nextID":4}"#)
    var back = try JSONDecoder().decode(StackState<String>.self, from: Array(text(stack).utf8).data)
    #expect(back.append("e") == 4)
    withDependencies {
      $0.stackIDSource = .inserted
    } operation: {
      _ = stack.append("x")
    }
    try expect(
      stack,
      as: #"{"elements":["a","d","x"],"ids":[0,3,1000000000],"insertedCount":1,"nextID":4}"#)
  }

  @Test("a stack with too few ids, one twice, or a count that no stack has, is refused")
  func brokenStack() {
    for text in [
      #"{"elements":["a","b"],"ids":[0],"nextID":1}"#,
      #"{"elements":["a","b"],"ids":[0,0],"nextID":1}"#,
      #"{"elements":[],"ids":[],"nextID":9223372036854775807}"#,
      #"{"elements":[],"ids":[],"nextID":-1}"#,
      #"{"elements":[],"ids":[],"nextID":0,"insertedCount":9223372036854775807}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(StackState<String>.self, from: Array(text.utf8).data)
      }
    }
  }

  @Test("actions of stacks, collections and presentations")
  func actions() throws {
    typealias Stack = StackAction<Item, String>
    try expect(Stack.popFrom(id: 2), as: #"{"popFrom":{"id":2}}"#)
    try expect(
      Stack.push(id: 3, state: Item(id: 1, title: "x")),
      as: #"{"push":{"id":3,"state":{"id":1,"title":"x"}}}"#)
    try expect(
      Stack.element(id: 0, action: "tap"), as: #"{"element":{"action":"tap","id":0}}"#)
    try expect(
      IdentifiedAction<Int, String>.element(id: 7, action: "tap"),
      as: #"{"element":{"action":"tap","id":7}}"#)
    try expect(PresentationAction<String>.dismiss, as: #"{"dismiss":{}}"#)
    try expect(PresentationAction.presented("tap"), as: #"{"presented":{"_0":"tap"}}"#)
  }

  struct Form: BindableState, Equatable {
    var name = ""
    var tags: [Item] = []
    var isPublic: Bool?
    var secret = ""

    static let bindings = BindingTable<Form>(
      BindingField("name", \.name), BindingField("labels", \.tags),
      BindingField("isPublic", \.isPublic))
  }

  @Test("a binding action goes there and back, and sets what it set before")
  func bindings() throws {
    typealias Binding = BindingAction<Form>
    try expect(Binding.set(\.name, "Blob"), as: #"{"name":"Blob"}"#)
    try expect(
      Binding.set(\.tags, [Item(id: 1, title: "a")]), as: #"{"labels":[{"id":1,"title":"a"}]}"#)
    try expect(Binding.set(\.isPublic, nil), as: #"{"isPublic":null}"#)
    try expect(Binding.set(\.isPublic, false), as: #"{"isPublic":false}"#)

    let text = #"{"labels":[{"id":7,"title":"z"}]}"#
    let action = try JSONDecoder().decode(Binding.self, from: Array(text.utf8).data)
    #expect(action.name == "labels")
    #expect(\Form.tags ~= action)
    #expect(!(\Form.name ~= action))
    enum Action: BindableAction {
      case binding(BindingAction<Form>)
    }
    var form = Form(name: "kept")
    _ = BindingReducer<Form, Action>().reduce(into: &form, action: .binding(action))
    #expect(form == Form(name: "kept", tags: [Item(id: 7, title: "z")]))
  }

  @Test("a part of a property is set, recorded and matched like a property of its own")
  func parts() throws {
    struct Size: Codable, Equatable, Sendable { var width = 1, height = 2.5 }
    struct Box: Codable, Equatable, Sendable {
      var name = "box"
      var size = Size()
      var lid: Size?
    }
    struct State: BindableState, Equatable {
      var number = 7
      var box = Box()
      var hidden = Size()
      static let bindings = BindingTable<State>(
        BindingField("number", \.number), BindingField("crate", \.box))
    }
    typealias Binding = BindingAction<State>
    try expect(Binding.set(\.box.name, "a"), as: #"{"crate.name":"a"}"#)
    try expect(Binding.set(\.box.size, Size()), as: #"{"crate.size":{"height":2.5,"width":1}}"#)
    try expect(Binding.set(\.box.lid, nil), as: #"{"crate.lid":null}"#)
    try expect(Binding.set(\.box.size.height, 3), as: #"{"crate.size.height":3}"#)

    let text = Array(#"{"crate.size.height":4}"#.utf8)
    let action = try JSONDecoder().decode(Binding.self, from: text.data)
    #expect(\State.box.size.height ~= action)
    #expect(!(\State.box.size ~= action))
    #expect(!(\State.box ~= action))
    #expect(action == .set(\.box.size.height, 4))
    #expect(action != .set(\.box.size.height, 5))
    enum Action: BindableAction { case binding(BindingAction<State>) }
    var state = State()
    _ = BindingReducer<State, Action>().reduce(into: &state, action: .binding(action))
    #expect(state == State(box: Box(size: Size(height: 4))))

    for text in [
      #"{"crate.colour":1}"#, #"{"crate.size.height.more":1}"#, #"{"crate.name":1}"#,
      #"{"crate.":1}"#,
      #"{"hidden.width":1}"#, #"{"number._value":1}"#, #"{".":1}"#,
    ] {
      #expect(throws: DecodingError.self, "\(text)") {
        try JSONDecoder().decode(Binding.self, from: Array(text.utf8).data)
      }
    }
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      _ = Binding.set(\.hidden.width, 1)
    }
    #expect(issues.messages.count == 1)
  }

  @Test("a binding action of no listed property, or with another type's value, is refused")
  func brokenBindings() {
    typealias Binding = BindingAction<Form>
    for text in [#"{"age":1}"#, #"{}"#, #"{"name":1}"#, #"{"labels":"x"}"#, #"[]"#] {
      #expect(throws: DecodingError.self, "\(text)") {
        try JSONDecoder().decode(Binding.self, from: Array(text.utf8).data)
      }
    }
    let issues = IssueLog()
    let unlisted = withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      Binding.set(\.secret, "x")
    }
    #expect(issues.messages.count == 1)
    #expect(throws: EncodingError.self) { try text(unlisted) }
  }

  @Test("collections, presented states, alerts and results")
  func states() throws {
    let items: IdentifiedArrayOf<Item> = [Item(id: 2, title: "b"), Item(id: 1, title: "a")]
    try expect(items, as: #"[{"id":2,"title":"b"},{"id":1,"title":"a"}]"#)
    try expect(PresentationState(wrappedValue: 5), as: "5")
    try expect(PresentationState<Int>(wrappedValue: nil), as: "null")
    try expect(
      AlertState(
        title: "Sure?", buttons: [ButtonState("Yes", role: .destructive, action: "yes")]),
      as: #"{"buttons":[{"action":"yes","label":"Yes","role":"destructive"}],"title":"Sure?"}"#)
    try expect(TaskResult.success(3), as: #"{"success":{"_0":3}}"#)
    struct Offline: Error {}
    try expect(
      TaskResult<Int>.failure(TaskFailure(Offline())),
      as: """
        {"failure":{"_0":{"description":"Offline()",\
        "type":"StoreCoreTests.LibraryCodingTests.Offline"}}}
        """)
  }
}

extension [UInt8] {
  fileprivate var data: Data { Data(self) }
}
