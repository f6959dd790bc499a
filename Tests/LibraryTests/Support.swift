import StoreCore
import StoreTesting
import XCTest

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

// Helpers of the library's tests: expected failures, which XCTest has only on Apple's systems,
// `Effect.actions`, and the few publishers that need no Combine.

/// Keeps the failures that a test expects. As in the original, each expectation needs one failure, and the
/// failure must mean the same.
class BaseTCATestCase: CheckedTestCase {
  override func invokeTest() {
    Expectations.current.reset()
    super.invokeTest()
    for unmet in Expectations.current.unmet() {
      super.recordFailure(
        withDescription: "An expected failure did not come: \(unmet.reason)",
        inFile: "\(unmet.file)",
        atLine: unmet.line, expected: true)
    }
  }

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if Expectations.current.meet(description, filePath, lineNumber) { return }
    super.recordFailure(
      withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
  }
}

/// The failures that the running test still expects.
final class Expectations: @unchecked Sendable {
  struct Expectation {
    var reason: String
    var isStrict: Bool
    var matches: ((XCTIssue) -> Bool)?
    var file: StaticString
    var line: Int
    var isMet = false
  }

  static let current = Expectations()
  private let lock = NSLock()
  private var expectations: [Expectation] = []

  func reset() { lock.withLock { expectations = [] } }

  func add(_ expectation: Expectation) { lock.withLock { expectations.append(expectation) } }

  func unmet() -> [Expectation] {
    lock.withLock { expectations.filter { $0.isStrict && !$0.isMet } }
  }

  func meet(_ text: String, _ file: String, _ line: Int) -> Bool {
    let open = lock.withLock { expectations }
    let place = XCTIssue.Context.Location(fileURL: URL(fileURLWithPath: file), lineNumber: line)
    let issue = XCTIssue(
      compactDescription: IssueText(here: text),
      sourceCodeContext: XCTIssue.Context(location: place))
    for index in open.indices.reversed() where !open[index].isMet {
      guard open[index].matches?(issue) ?? true else { continue }
      lock.withLock { expectations[index].isMet = true }
      return true
    }
    // One without a pattern takes any number.
    return open.contains { $0.matches == nil }
  }
}

struct XCTIssue {
  struct Context {
    struct Location {
      var fileURL: URL
      var lineNumber: Int
    }
    var location: Location?
  }

  var compactDescription: IssueText
  var sourceCodeContext: Context
}

/// The text of a failure here, in place of the library's text with the same meaning.
struct IssueText: CustomStringConvertible {
  let here: String

  /// The beginning of each text there, and a part of ours.
  static let meanings: [(there: String, here: String)] = [
    ("A state change does not match expectation", "The state is not as expected"),
    ("State was not expected to change", "The state changed, but no change was expected"),
    ("Expected state to change, but no change occurred", "The closure changes nothing"),
    ("The store received", "not asserted at the end of the test"),
    ("An effect returned for this action is still running", "still runs at the end of the test"),
    ("Must handle", "must be asserted before another action is sent"),
    ("Expected to receive", "received"),
    ("Received unexpected action", "Another action was received"),
    ("Threw error", "threw an error"),
    ("Can't send action to dismissed", "has dismissed itself"),
    ("There were no received actions to skip", "There were no received actions to skip"),
    ("There were no in-flight effects to skip", "There were no running effects to skip"),
    ("Reentrant actions are undefined", "sent from inside a reducer or an observer"),
    ("threw an unhandled error", "failed and has no catch handler"),
    ("sent from a completed effect", "sent an action after it had ended"),
    ("received a child action when", "An action for a child came while its state was"),
    ("received an action for a missing element", "An action for a child came while its state was"),
    ("received a presentation action when", "An action for a child came while its state was nil"),
    ("received a \"popFrom\" action", "has no element #999 to pop"),
    ("action for an element it already contains", "which was given before"),
    ("with an unexpected generational ID", "which was given before"),
    ("Can't modify unrelated case", "A payload was set for a case"),
    ("to be modified but it was unchanged", "XCTModify: no change"),
  ]

  var description: String { here }

  func hasSuffix(_ there: String) -> Bool { means(there) }
  func hasPrefix(_ there: String) -> Bool { means(there) }
  func contains(_ there: String) -> Bool { means(there) }
  static func == (text: IssueText, there: String) -> Bool { text.means(there) }

  private func means(_ there: String) -> Bool {
    guard let meaning = Self.meanings.first(where: { there.contains($0.there) }) else {
      print("A text without a meaning: \(there.prefix(200))")
      return false
    }
    return here.contains(meaning.here)
  }
}

func XCTExpectFailure(
  _ reason: String? = nil, enabled: Bool? = nil, strict: Bool? = nil,
  file: StaticString = #filePath,
  line: Int = #line, issueMatcher: ((XCTIssue) -> Bool)? = nil
) {
  Expectations.current.add(
    Expectations.Expectation(
      reason: reason ?? "", isStrict: strict ?? true, matches: issueMatcher, file: file, line: line)
  )
}

func XCTExpectFailure<Result>(
  _ reason: String? = nil, enabled: Bool? = nil, strict: Bool? = nil,
  file: StaticString = #filePath,
  line: Int = #line, failingBlock: () throws -> Result, issueMatcher: ((XCTIssue) -> Bool)? = nil
) rethrows -> Result {
  XCTExpectFailure(reason, strict: strict, file: file, line: line, issueMatcher: issueMatcher)
  return try failingBlock()
}

func XCTTODO(_ reason: String) { XCTExpectFailure(reason) }

extension Task where Success == Never, Failure == Never {
  static func megaYield(count: Int = 20) async {
    for _ in 0..<count { await Task<Void, Never>.detached { await Task.yield() }.value }
  }
}

let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// Changes the value in an optional, which must be there.
func XCTModify<Value: Equatable>(_ value: inout Value?, _ change: (inout Value) throws -> Void)
  rethrows
{
  guard var found = value else { return XCTFail("XCTModify: nil") }
  try change(&found)
  if found == value { XCTFail("XCTModify: no change") }
  value = found
}

/// Changes the payload of a case, as `(/State.child).modify` does there.
func modify<Root: CasePathable, Value>(
  _ root: inout Root?, _ path: CaseKeyPath<Root, Value>, _ change: (inout Value) throws -> Void
) rethrows {
  guard var found = root else { return XCTFail("modify: nil") }
  _ = try Root.allCasePaths[keyPath: path].modify(&found, change)
  root = found
}

func modify<Root: CasePathable, Value>(
  _ root: inout Root, _ path: CaseKeyPath<Root, Value>, _ change: (inout Value) throws -> Void
) rethrows {
  _ = try Root.allCasePaths[keyPath: path].modify(&root, change)
}

func withMainSerialExecutor(_ operation: () -> Void) { operation() }
/// As in the original: the tasks that start in it run one after another.
func withMainSerialExecutor(_ operation: () async throws -> Void) async rethrows {
  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
  let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: Hook?.self)
  hook?.pointee = { job, _ in MainActor.shared.enqueue(job) }
  defer { hook?.pointee = nil }
  try await operation()
}

extension Effect {
  /// The actions of this effect alone, in a store of its own.
  var actions: AsyncStream<Action> {
    AsyncStream { continuation in
      let store = Store<Bool, Action?>(initialState: false) {
        Reduce { _, action in
          guard let action else { return self.map(Optional.some) }
          continuation.yield(action)
          return .none
        }
      }
      let task = store.send(nil)
      continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
      Task {
        await task.finish()
        _ = store
        continuation.finish()
      }
    }
  }
}

/// A publisher without Combine: a stream for each subscriber.
protocol Publisher<Output>: Sendable {
  associatedtype Output: Sendable
  func events() -> AsyncStream<Output>
}

struct Events<Output: Sendable>: Publisher {
  let make: @Sendable () -> AsyncStream<Output>
  func events() -> AsyncStream<Output> { make() }
}

extension Publisher {
  func delay(for duration: Duration, scheduler: any Clock<Duration>) -> Events<Output> {
    Events {
      let events = events()
      return AsyncStream { continuation in
        let task = Task {
          for await event in events {
            try await scheduler.sleep(for: duration)
            continuation.yield(event)
          }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }

  func map<New: Sendable>(_ transform: @escaping @Sendable (Output) -> New) -> Events<New> {
    Events {
      let events = events()
      return AsyncStream { continuation in
        Task {
          for await event in events { continuation.yield(transform(event)) }
          continuation.finish()
        }
      }
    }
  }
}

func Just<Output: Sendable>(_ value: Output) -> Events<Output> {
  Events {
    AsyncStream {
      $0.yield(value)
      $0.finish()
    }
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  var publisher: Events<Element> {
    Events {
      AsyncStream { continuation in
        for element in self { continuation.yield(element) }
        continuation.finish()
      }
    }
  }
}

func Empty<Output: Sendable>(outputType: Output.Type, failureType: Never.Type) -> Events<Output> {
  Events { AsyncStream { $0.finish() } }
}

final class AnyCancellable: Hashable {
  private let subscription: Subscription
  init(_ subscription: Subscription) { self.subscription = subscription }
  func cancel() { subscription.cancel() }
  func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
  static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct StorePublisher<Output: Sendable> {
  let observe: (@escaping @Sendable (Output) -> Void) -> Subscription

  func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    let receive = UncheckedSendable(receiveValue)
    return AnyCancellable(observe { receive.value($0) })
  }
}

extension Store {
  var publisher: StorePublisher<State> { StorePublisher { self.observe($0) } }
}

/// Only of the whole state.
@dynamicMemberLookup
struct ViewStore<State: Sendable, Action: Sendable> {
  let store: Store<State, Action>

  init(
    _ store: Store<State, Action>, observe: (State) -> State,
    removeDuplicates: ((State, State) -> Bool)? = nil
  ) { self.store = store }

  var state: State { store.state }
  var publisher: StorePublisher<State> { store.publisher }
  @discardableResult func send(_ action: Action) -> StoreTask { store.send(action) }
  subscript<Part>(dynamicMember part: KeyPath<State, Part>) -> Part { state[keyPath: part] }
}

final class PassthroughSubject<Output: Sendable, Failure>: Publisher {
  private let subscribers = LockIsolated<[AsyncStream<Output>.Continuation]>([])

  func events() -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    subscribers.withValue { $0.append(continuation) }
    return stream
  }

  func send(_ value: Output) { for subscriber in subscribers.value { subscriber.yield(value) } }

  enum Completion { case finished }
  func send(completion: Completion) { for subscriber in subscribers.value { subscriber.finish() } }
}

extension PassthroughSubject where Output == Void {
  func send() { send(()) }
}

extension Effect {
  static func publisher(_ make: @escaping @Sendable () -> some Publisher<Action>) -> Effect {
    .run { send in
      for await action in make().events() { await send(action) }
    }
  }
}

// The spellings of `Scope` that the store does not have: see docs/differences.md.

extension Scope {
  /// Scopes to a property of the state: `Scope(\.counter, action: \.counter) { Counter() }`.
  public init<ChildState: Sendable, ChildAction: Sendable>(
    _ state: any WritableKeyPath<ParentState, ChildState> & Sendable,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Child: Reducer<ChildState, ChildAction>, ParentAction: CasePathable {
    self.init(
      state: state, action: action, child: child, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension Scope where ParentState: CasePathable, ParentAction: CasePathable {
  /// Scopes to a case of an enum state: `Scope(state: \.editor, action: \.editor) { Editor() }`.
  public init<ChildState: Sendable, ChildAction: Sendable>(
    state: CaseKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Child: Reducer<ChildState, ChildAction> {
    self.init(
      case: state, action: action, child: child, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
