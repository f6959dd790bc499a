// The declarations that the examples in comments use: the features of an app and its clients, and
// for each layer the values of its examples. They compile with the examples alone.

@Reducer struct AppFeature {
  struct State: Codable, Equatable, Sendable {
    @PresentationState var destination: Destination.State?
    @PresentationState var alert: AlertState<Action.Alert>?
    @PresentationState var dialog: ConfirmationDialogState<Action.Alert>?
    var path = StackState<Path.State>()
    var counter = Counter.State()
    @Shared(.inMemory("count")) var count = 0
    @Shared(.inMemory("settings")) var settings = Settings()
    @PresentationState var editor: Editor.State?
    var details = StackState<Detail.State>()
    var child: Child.State?
    var items: [Item] = []
    var query = ""
    var edits = 0
    var total = 0
    var isLocked = false
  }

  enum Action: BindableAction, Codable, Equatable, Sendable {
    case binding(BindingAction<State>)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Path>)
    case editor(PresentationAction<Editor.Action>)
    case details(StackActionOf<Detail>)
    case counter(Counter.Action)
    case child(Child.Action)
    case factResponse(String), factFailed(String), received(String)
    case cancelTapped, checkoutTapped, ticked

    enum Alert: Codable, Equatable, Sendable { case retryTapped, discardTapped, confirmed }
  }

  enum CancelID { case fact, reconnecting, countdown }

  var body: some ReducerOf<Self> { BindingReducer() }
}

@Reducer struct Counter {
  struct State: Codable, Equatable, Sendable { var count = 0 }
  enum Action: Codable, Equatable, Sendable { case incremented, timerTicked }
}

@Reducer struct Editor {
  struct State: Codable, Equatable, Sendable { @Shared var name: String }
  enum Action: Codable, Equatable, Sendable { case closed }
}

@Reducer struct Child {
  struct State: Codable, Equatable, Sendable { @Shared var count: Int }
  enum Action: Codable, Equatable, Sendable { case tapped }
}

@Reducer struct Detail {
  struct State: Codable, Equatable, Sendable { var wish: String, isShared = false }
  enum Action: Codable, Equatable, Sendable { case shared }
}

@Reducer enum Destination {
  case edit(Draft)
}

@Reducer struct Draft {
  struct State: Codable, Equatable, Sendable { var name = "" }
  enum Action: Codable, Equatable, Sendable { case saved }
}

@Reducer enum Path {
  case detail(Detail)
}

extension Destination.State: Codable, Equatable, Sendable {}
extension Destination.Action: Codable, Equatable, Sendable {}
extension Path.State: Codable, Equatable, Sendable {}
extension Path.Action: Codable, Equatable, Sendable {}

struct Timer: Reducer {
  struct State {}
  enum Action { case started }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

@Reducer struct Search {
  struct State: Equatable, Sendable { var query = "", cities: [String] = [] }
  enum Action: Equatable, Sendable {
    case queryChanged(String), response([String]), found([String])
  }

}

extension Search.Action { var hits: Int { 0 } }

@Reducer struct Cart {
  struct State: Codable, Equatable, Sendable { var total = 0 }
  enum Action: Codable, Equatable, Sendable { case added(String) }
}

@Reducer struct Dice {
  struct State: Equatable, Sendable { var face: Int? }
  enum Action: Equatable, Sendable { case rolled }
}

struct Item: Codable, Equatable, Sendable { var id = 0, quantity = 1 }
struct Settings: Codable, Equatable, Sendable { var name = "" }
struct Filter: Codable, Equatable, Sendable { static let all = Filter() }
struct Dish: Equatable { var title: String }
struct Todo: Codable, Sendable {
  struct State: Identifiable { var id: Int, isDone = false }
}

extension SharedKey<Settings>.Default {
  static var settings: Self { Self[.inMemory("settings"), default: Settings()] }
}
extension URL { static let settings = URL(filePath: "settings.json") }

struct CityClient: DependencyKey {
  var find: @Sendable (String) async throws -> [String]
  static let liveValue = CityClient { _ in [] }
}

struct DiceClient: DependencyKey {
  var roll: @Sendable () -> Int
  static let liveValue = DiceClient { 6 }
}

extension DependencyValues {
  var api: CityClient {
    get { self[CityClient.self] }
    set { self[CityClient.self] = newValue }
  }
  var dice: DiceClient {
    get { self[DiceClient.self] }
    set { self[DiceClient.self] = newValue }
  }
}

struct OrderedDictionary<Key: Hashable, Value> {}
final class ObservationStateRegistrar: Codable {}

@propertyWrapper struct Counted { var wrappedValue: Int }

func download(_ number: Int) async throws -> String { "" }

typealias AppState = AppFeature.State
typealias AppAction = AppFeature.Action

enum InPlatform {
  nonisolated(unsafe) static var session: SessionReader!
  nonisolated(unsafe) static var lock: Lock!, filled: ThreadSignal!, requests: [Int] = []
}

enum InValueTree {
  nonisolated(unsafe) static var state: AppFeature.State!
  nonisolated(unsafe) static var line: [UInt8] = [], scanner: ValueScanner!
  nonisolated(unsafe) static var keyframe: Value!, patches: [Patch] = []
  nonisolated(unsafe) static var patch = 0..<1, newValues: [PatchScan.NewValue] = []
}

enum InStoreMacros {}

enum InStoreCore {
  typealias State = AppFeature.State
  typealias Action = AppFeature.Action
  typealias CancelID = AppFeature.CancelID
  struct Connection: Sendable {
    var messages: AsyncStream<String>
    func onMessage(_ body: @escaping @Sendable (String) -> Void) {}
  }
  struct Logger: Sendable { func warning(_ text: String) {} }

  nonisolated(unsafe) static var state: State!
  nonisolated(unsafe) static var store: StoreOf<AppFeature>!
  nonisolated(unsafe) static var connection: Connection!
  nonisolated(unsafe) static var clock: (any Clock<Duration>)!
  nonisolated(unsafe) static var factClient: FactClient!
  nonisolated(unsafe) static let logger = Logger()
  nonisolated(unsafe) static let wish = ""
  nonisolated(unsafe) static var machine: StoreMachine<State, AppFeature.Action>!
  nonisolated(unsafe) static var action: AppFeature.Action!
  static func handle(_ message: String) {}
}

enum InStoreTesting {
  typealias Action = InStoreCore.Action
  struct API {
    var load: (Int) -> Item
    var save: (Item) async throws -> Void
    var delete: (Int) -> Void
  }
  class Editor {
    init(save: () -> Void) {}
    func close() {}
  }
  nonisolated(unsafe) static var store: TestStoreOf<Search>!
  nonisolated(unsafe) static var kitchen: (menu: [Dish], closes: Int)!
  nonisolated(unsafe) static var menu: [Dish] = [], expected: [Dish] = []
}

enum InSessionWords {
  nonisolated(unsafe) static var options: RecordingOptions!
  nonisolated(unsafe) static var recorded: Read!, step: SessionWords.Step!, asked: Question!
}

enum InSessionFile {
  nonisolated(unsafe) static var session: SessionReader!
}

enum InRecorder {
  struct Cart: Codable, Sendable {}
  enum CartAction: Codable, Sendable { case added }
  struct Hit: Codable, Sendable {}
  struct Client: Sendable {
    var fact: @Sendable (Int) async throws -> String
    var search: @Sendable (String, Int) async throws -> [Hit]
    var prices: @Sendable (String) -> AsyncStream<Double>
  }
  nonisolated(unsafe) static var cart: Cart!, action: CartAction!,
    recorder: SessionRecorder<Cart, CartAction>!
  nonisolated(unsafe) static var tape: Tape!, client: Client!
  static func reduce(_ cart: Cart, _ action: CartAction) -> Cart { cart }
}

enum InSessionImports {}

enum InStoreRecording {
  nonisolated(unsafe) static var tape: Tape!
}

enum InStoreNetworking {
  nonisolated(unsafe) static var url: URL!
  nonisolated(unsafe) static var recording: StoreRecorder<Cart.State, Cart.Action>!
}

enum InReplay {
  nonisolated(unsafe) static var setup: ReplaySetup<Cart.State, Cart.Action>!
  nonisolated(unsafe) static var session: SessionReader!, script: Script!
  nonisolated(unsafe) static var clock: TestClock!
  nonisolated(unsafe) static var store: StoreOf<PlaybackReducer<AppFeature>>!
}

enum InReplayTesting {
  nonisolated(unsafe) static var session: URL!
  nonisolated(unsafe) static var store: StoreOf<AppFeature>!
}

enum InReducerHost {}
enum InRetconCommand {}
