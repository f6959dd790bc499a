import Platform
import StoreCore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SharedKey<Filter>.Default {
  fileprivate static var filter: Self {
    Self[.fileStorage(URL(filePath: "/filter.json")), default: Filter()]
  }
}

@Suite("Shared state in a file")
struct SharedFileTests {
  struct Settings: Reducer {
    struct State: Equatable, Sendable {
      @Shared(.filter) var filter
      @Shared(.fileStorage(URL(filePath: "/name.json"))) var name = "nobody"
      @Shared(.fileStorage(URL(filePath: "/note.json"))) var note: String?
    }

    enum Action: Sendable { case named(String), words(String), both }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .named(let name): state.name = name
      case .words(let words): state.$filter.withLock { $0.text.words = words }
      case .both: return .merge(.send(.named("a")), .send(.named("b")))
      }
      return .none
    }
  }

  @Test(
    "it is read when a state first holds it, and written at the end of the turn that changed it")
  func readAndWritten() {
    let saved = Locked<[String]>([])
    let files = SharedStorage.inMemory(["/name.json": #""Blob""#, "/note.json": #""x""#])
    let store = Store(initialState: Settings.State()) {
      Settings()
    } withDependencies: {
      $0.sharedStorage = SharedStorage(load: files.load) { path, text in
        saved.withLock { $0.append("\(path) \(text)") }
      }
    }
    #expect(store.state.name == "Blob")
    #expect(store.state.note == "x")
    #expect(store.state.filter == Filter())
    store.send(.both)
    #expect(saved.withLock { $0 } == [#"/name.json "b""#])
    store.send(.words("tea"))
    #expect(saved.withLock { $0.last?.contains(#""words" : "tea""#) } == true)
  }

  @Test("a new store finds what another left in the file")
  func onDisk() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder("count.json"))
    struct State: Equatable, Sendable {
      @Shared var count: Int
      init(_ url: URL) { _count = Shared(wrappedValue: 7, .fileStorage(url)) }
    }
    func store() -> Store<State, Int> {
      Store(initialState: State(url)) {
        Reduce<State, Int> { state, number in
          state.count += number
          return .none
        }
      } withDependencies: {
        $0.sharedStorage = .liveValue
      }
    }
    let first = store()
    first.send(0)
    first.send(3)
    #expect(folder.text("count.json") == "10")
    #expect(store().state.count == 10)
  }

  @Test("a file that cannot be read is an issue, and the default holds")
  func unreadable() {
    let issues = Locked<[String]>([])
    let store = Store(initialState: Settings.State()) {
      Settings()
    } withDependencies: {
      $0.sharedStorage = .inMemory(["/name.json": "7"])
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    }
    #expect(store.state.name == "nobody")
    #expect(
      issues.withLock { $0.map { $0.prefix(50) } } == [
        "name.json holds no shared value that can be read: "
      ])
  }

  struct Two: Reducer {
    struct State: Equatable, Sendable {
      @Shared(.fileStorage(URL(filePath: "/a/menu.json"))) var first = 0
      @Shared(.fileStorage(URL(filePath: "/b/menu.json"))) var second = 0
      var third: Shared<Int>?
    }

    enum Action: Sendable { case first(Int), second(Int), third }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .first(let number): state.first = number
      case .second(let number): state.second = number
      case .third:
        state.third = Shared(wrappedValue: 0, .fileStorage(URL(filePath: "/c/b/menu.json")))
      }
      return .none
    }
  }

  @Test(
    "two files with one name are two values, and their names in recordings are told",
    arguments: [false, true])
  func twoFilesOfOneName(isMadeOutside: Bool) {
    let issues = Locked<[String]>([])
    let files = SharedStorage.inMemory(["/a/menu.json": "1", "/b/menu.json": "2"])
    func dependencies(_ values: inout DependencyValues) {
      values.sharedStorage = files
      values.issueReporter = IssueReporter { issue in
        issues.withLock { $0.append(issue.message) }
      }
    }
    let outside = withDependencies(dependencies) { Two.State() }
    let store = Store(initialState: isMadeOutside ? outside : Two.State()) {
      Two()
    } withDependencies: {
      dependencies(&$0)
    }
    #expect(store.state.first == 1)
    #expect(store.state.second == 2)
    store.send(.first(3))
    store.send(.second(4))
    #expect(files.load("/a/menu.json") == "3")
    #expect(files.load("/b/menu.json") == "4")
    store.send(.third)
    #expect(store.state.third?.wrappedValue == 0)
    store.send(.third)
    #expect(
      issues.withLock { $0 } == [
        """
        Two shared files have one name: /a/menu.json and /b/menu.json. In this store the second is \
        called b/menu.json. To have them run again from a recording, give one a name of its own: \
        .fileStorage(url, name: "…").
        """,
        """
        Two shared files have one name: /a/menu.json and /c/b/menu.json. In this store the second is \
        called c/b/menu.json. To have them run again from a recording, give one a name of its own: \
        .fileStorage(url, name: "…").
        """,
      ])
  }

  @Test("a file with a name of its own has that in recordings")
  func ownName() throws {
    let value = Shared(
      wrappedValue: 1, .fileStorage(URL(filePath: "/b/menu.json"), name: "second menu"))
    #expect(
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self).contains(
        #""shared":"second menu""#))
  }
}
