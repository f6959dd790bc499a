import Recorder
import StoreCore
import StoreRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An app of other shapes than the samples: children with effects of their own, a debounce and a
/// throttle, requests that follow one another, dates, sets and doubles.
struct Desk: Reducer {
  struct State: Codable, Equatable, Sendable {
    var counter = 0
    var total = 0.0
    var tags: Set<String> = []
    var stamps: [Date] = []
    var query = ""
    var hits: [String] = []
    var notes: [String] = []
    var rows: IdentifiedArrayOf<Row.State> = []
    @PresentationState var sheet: Sheet.State?
  }

  enum Action: Codable, Equatable, CasePathable, Sendable {
    case add(Int)
    /// Grows by a tenth and changes its sign, so that −0 comes about, too.
    case scale
    /// Asks what the counter costs.
    case price
    /// Notes the date.
    case stamp
    case tag(String)
    /// Debounced, then a search.
    case type(String)
    case searched([String])
    /// Throttled, then an action at once.
    case scroll(Int)
    case settled(Int)
    /// Two requests, the second of which asks for what the first one gave.
    case order
    case quoted(Double)
    case confirmed(Bool)
    case refused(String)
    /// Answers after a while, with its argument.
    case maybe(Int)
    case came(Int)
    /// Sends two actions at once.
    case announce
    case noted(String)
    case addRow(Int)
    case removeRow(Int)
    case rows(IdentifiedActionOf<Row>)
    case open(Int)
    case sheet(PresentationAction<Sheet.Action>)

    struct AllCasePaths: Sendable {
      let rows = CasePath(Action.rows)
      let sheet = CasePath(Action.sheet)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum ID: Hashable, Sendable { case search, scroll, order }

  /// An effect of its own, which asks about its own state.
  struct Row: Reducer {
    struct State: Codable, Equatable, Sendable, Identifiable {
      var id: Int
      var price: Double?
      var count = 1
    }

    enum Action: Codable, Equatable, Sendable {
      case more
      case load
      case loaded(Double)
      case failed
    }

    enum ID: Hashable, Sendable { case load }

    @Dependency(\.desk) var desk

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .more: state.count += 1
      case .load:
        return .run(name: "load") { [desk, state] send in
          await send(.loaded(try await desk.quote(state.id * 10 + state.count)))
        } catch: { _, send in
          await send(.failed)
        }
        .cancellable(id: ID.load, cancelInFlight: true)
      case .loaded(let price): state.price = price
      case .failed: state.price = nil
      }
      return .none
    }
  }

  /// Saves its text with a date.
  struct Sheet: Reducer {
    struct State: Codable, Equatable, Sendable, Identifiable {
      var id: Int
      var text = ""
      var saved: Date?
    }

    enum Action: Codable, Equatable, Sendable {
      case typed(String)
      case save
      case answered(Bool)
      case failed
    }

    @Dependency(\.desk) var desk
    @Dependency(\.date) var date

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .typed(let text): state.text = text
      case .save:
        return .run(name: "save") { [desk, text = state.text] send in
          await send(.answered(try await desk.confirm(text)))
        } catch: { _, send in
          await send(.failed)
        }
      case .answered(let isDone): state.saved = isDone ? date.now : nil
      case .failed: state.saved = nil
      }
      return .none
    }
  }

  @Dependency(\.desk) var desk
  @Dependency(\.date) var date

  var body: some ReducerOf<Self> {
    Reduce { state, action in reduceOwn(&state, action) }
      .forEach(\.rows, action: \.rows) { Row() }
      .ifLet(\.$sheet, action: \.sheet) { Sheet() }
  }

  private func reduceOwn(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.counter += number
    case .scale: state.total = -(state.total + state.total * 0.1)
    case .price: state.total += desk.price(state.counter)
    case .stamp: state.stamps.append(date.now)
    case .tag(let tag):
      if state.tags.remove(tag) == nil { state.tags.insert(tag) }
      if state.tags.count > 2 { return .send(.noted(state.tags.sorted().joined())) }
    case .searched(let hits): state.hits = hits
    case .settled(let place): state.notes.append("at \(place)")
    case .quoted(let price): state.total += price
    case .confirmed(let isDone): state.notes.append(isDone ? "done" : "not done")
    case .refused(let text), .noted(let text): state.notes.append(text)
    case .came(let number): state.counter += number
    case .announce:
      return .merge(.send(.noted("one \(state.counter)")), .send(.noted("\(state.total)")))
    case .addRow(let id): state.rows[id: id] = Row.State(id: id)
    case .removeRow(let id): state.rows.remove(id: id)
    case .open(let id): state.sheet = Sheet.State(id: id)
    case .type, .scroll, .order, .maybe: return effects(&state, action)
    case .rows, .sheet: break
    }
    return .none
  }

  private func effects(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .type(let query):
      state.query = query
      return .run(name: "search") { [desk] send in
        await send(.searched(try await desk.search(query)))
      } catch: { error, send in
        await send(.refused("\(error)"))
      }
      .debounce(id: ID.search, for: .milliseconds(300))
    case .scroll(let place):
      return .send(.settled(place)).throttle(id: ID.scroll, for: .milliseconds(400), latest: true)
    case .order:
      return .run(name: "order") { [desk, counter = state.counter] send in
        let price = try await desk.quote(counter)
        await send(.quoted(price))
        await send(.confirmed(try await desk.confirm("\(counter) for \(price)")))
      } catch: { error, send in
        await send(.refused("\(error)"))
      }
      .cancellable(id: ID.order, cancelInFlight: true)
    case .maybe(let number):
      return .run(name: "maybe") { [desk] send in
        if try await desk.confirm("maybe \(number)") { await send(.came(number)) }
      } catch: { _, _ in
      }
    default: return .none
    }
  }
}

struct DeskClient: Sendable {
  var price: @Sendable (Int) -> Double
  var quote: @Sendable (Int) async throws -> Double
  var search: @Sendable (String) async throws -> [String]
  var confirm: @Sendable (String) async throws -> Bool

  mutating func putOnTape(_ tape: Tape) {
    price = tape.closure("price", price)
    quote = tape.closure("quote", quote)
    search = tape.closure("search", search)
    confirm = tape.closure("confirm", confirm)
  }
}

extension DeskClient: DependencyKey {
  static let liveValue = DeskClient(
    price: { 6.875 - Double($0) * 0.25 }, quote: { Double($0) * 1.5 },
    search: { ["\($0) 1", "\($0) 2"] }, confirm: { !$0.isEmpty })
  static let testValue: DeskClient = liveValue
}

extension DependencyValues {
  var desk: DeskClient {
    get { self[DeskClient.self] }
    set { self[DeskClient.self] = newValue }
  }
}
