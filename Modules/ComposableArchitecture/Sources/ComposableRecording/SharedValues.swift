@_spi(References) import ComposableArchitecture
@_spi(Adapters) import SessionLog
@_spi(Adapters) import StoreCore
import ValueTree

private enum SharedField: String, CodingKey { case value, shared, part }

/// Encoded as the value, and the name of its key: `{"value":3,"shared":".inMemory(\"count\")"}`.
extension ComposableArchitecture.Shared: Swift.Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SharedField.self)
    try container.encode(reference.wrappedValue, forKey: .value)
    let name = SharedName(of: reference)
    try container.encodeIfPresent(name.text, forKey: .shared)
    if name.isPart { try container.encode(true, forKey: .part) }
  }
}

extension ComposableArchitecture.Shared: Swift.Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SharedField.self)
    let name = try container.decodeIfPresent(String.self, forKey: .shared)
    let isPart = try container.decodeIfPresent(Bool.self, forKey: .part) ?? false
    nonisolated(unsafe) let value = try container.decode(Value.self, forKey: .value)
    self = name.flatMap { recordedShare(value, $0, isPart: isPart) } ?? Self(value: value)
  }
}

/// The name of a shared value in a session.
struct SharedName: Hashable {
  /// Nil without a key: `Shared(value:)`.
  var text: String?
  /// It is a property or an element of the value with that name.
  var isPart = false

  init(of reference: any MutableReference) {
    let mirror = Mirror(reflecting: reference)
    if let base = mirror.descendant("base") as? any MutableReference {
      (text, isPart) = (Self(of: base).text, true)
    } else if let key = mirror.descendant("key") {
      let recorded = key as? any RecordedName
      (text, isPart) = (
        recorded?.name ?? Self.portable(reference.description), recorded?.isPart ?? false
      )
    }
  }

  /// A file has another path on each device.
  private static func portable(_ text: String) -> String {
    guard text.contains("file://"), let file = text.split(separator: "/").last else { return text }
    return text.prefix { $0 != "(" } + "(\"\(file.prefix { $0 != ")" })\")"
  }

  var inMemory: String? {
    guard let text, text.hasPrefix(".inMemory(\""), text.hasSuffix("\")") else { return nil }
    return String(text.dropFirst(11).dropLast(2))
  }
}

private protocol RecordedName {
  var name: String { get }
  var isPart: Bool { get }
}

/// Replaces a key of the app. Each instance is a key of its own; `SharedLinks` links them by name.
struct RecordedKey<Value: Sendable>: ComposableArchitecture.SharedKey, RecordedName,
  CustomStringConvertible
{
  final class Own: Sendable {}

  let name: String
  var isPart = false
  private let own = Own()

  init(_ name: String, isPart: Bool = false) { (self.name, self.isPart) = (name, isPart) }

  var id: ObjectIdentifier { ObjectIdentifier(own) }
  var description: String { name }

  func load(
    context _: ComposableArchitecture.LoadContext<Value>,
    continuation: ComposableArchitecture.LoadContinuation<Value>
  ) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context _: ComposableArchitecture.LoadContext<Value>,
    subscriber _: ComposableArchitecture.SharedSubscriber<Value>
  ) -> ComposableArchitecture.SharedSubscription {
    .init {}
  }

  func save(
    _: Value, context _: ComposableArchitecture.SaveContext,
    continuation: ComposableArchitecture.SaveContinuation
  ) {
    continuation.resume()
  }
}

/// The library's keys need `Sendable` values, and what `Shared` holds is `Sendable`. Swift cannot check
/// that at run time, but a marker protocol has no layout.
private func sendable(_ value: Any) -> any Sendable {
  unsafeBitCast(value as Any, to: (any Sendable).self)
}

private func recordedShare<Value>(
  _ value: Value, _ name: String, isPart: Bool = false, inMemory: String? = nil
) -> ComposableArchitecture.Shared<Value>? {
  func open<Opened: Sendable>(_ value: Opened) -> Any {
    if let inMemory {
      let key: ComposableArchitecture.InMemoryKey<Opened> = .inMemory(inMemory)
      return ComposableArchitecture.Shared(wrappedValue: value, key)
    }
    return ComposableArchitecture.Shared(
      wrappedValue: value, RecordedKey<Opened>(name, isPart: isPart))
  }
  return open(sendable(value)) as? ComposableArchitecture.Shared<Value>
}

@_spi(Adapters) extension ComposableArchitecture.Shared: StoreCore.PlaceInState {}

@_spi(Adapters) extension ComposableArchitecture.PresentationState: StoreCore.SharedContainer {
  public static var heldType: Any.Type { State.self }

  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    wrappedValue.visitHeld(visit)
  }
}

@_spi(Adapters) extension ComposableArchitecture.IdentifiedArray: StoreCore.SharedContainer {
  public static var heldType: Any.Type { Element.self }

  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for id in ids { self[id: id].visitHeld(visit) }
  }
}

@_spi(Adapters) extension ComposableArchitecture.StackState: StoreCore.SharedContainer {
  public static var heldType: Any.Type { Element.self }

  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for id in ids { self[id: id].visitHeld(visit) }
  }
}

private protocol SharedInState: PlaceInState {
  var whole: any MutableReference { get }
  func relinked(by links: SharedLinks) -> any PlaceInState
}

extension ComposableArchitecture.Shared: SharedInState {
  fileprivate var whole: any MutableReference {
    var whole: any MutableReference = reference
    while let base = Mirror(reflecting: whole).descendant("base") as? any MutableReference {
      whole = base
    }
    return whole
  }

  fileprivate func relinked(by links: SharedLinks) -> any PlaceInState {
    func open(_ reference: some MutableReference<Value>) -> Self? { links.share(of: reference) }
    return open(reference) ?? self
  }
}

extension ComposableArchitecture.Shared: SessionLog.CopiedOnWrite {
  /// The recorder gets states whose shared values nothing else changes.
  public static var heldTypes: [Any.Type] { [Value.self] }
}

/// Links the shared values of a state to references that nothing else holds. So a copy of the state is a
/// value, and runs do not affect each other.
///
/// `@unchecked Sendable`: only the thread that reduces touches it.
final class SharedLinks: @unchecked Sendable {
  static let places = PlacesInState()

  /// The shares by name, in this pass and in the one before.
  private var shares: [String: Any] = [:]
  private var before: [String: Any] = [:]
  /// The numbers of shares without a key. It holds the references, so that no other gets their ids.
  private var numbers: [ObjectIdentifier: (reference: any MutableReference, number: Int)] = [:]
  private var lastNumber = 0
  /// The recorded values of this pass.
  private var outside: [String: Value] = [:]
  private var isRunning = false
  private let isRecording: Bool
  private let tape: Tape

  init(isRecording: Bool, _ tape: Tape = Tape()) {
    (self.isRecording, self.tape) = (isRecording, tape)
  }

  /// Before a reducer runs. A `.inMemory` key that the reducer makes finds the linked value.
  func begin<State>(_ state: inout State) {
    guard Self.places.areIn(State.self) else { return }
    outside = tape.valueIfRecorded("shared") ?? [:]
    isRunning = true
    relink(&state)
  }

  /// The values that this pass links, as they are when they are asked for.
  func valuesNow() -> () -> [Value?] {
    let references = shares.values.compactMap { ($0 as? any SharedInState)?.whole }
    return {
      references.map { reference in
        (reference.wrappedValue as? any Encodable).flatMap { try? ValueEncoder().encode($0) }
      }
    }
  }

  func end<State>(_ state: inout State) {
    guard Self.places.areIn(State.self) else { return }
    outside = tape.valueIfRecorded("sharedLoaded") ?? [:]
    isRunning = false
    relink(&state)
  }

  /// A copy that does not change.
  func frozen<State>(_ state: State) -> State {
    guard Self.places.areIn(State.self) else { return state }
    var state = state
    relink(&state)
    return state
  }

  /// Puts on tape what an effect, a view or a file changed since the last step.
  func recordChanges<State>(in state: State, _ tape: Tape) {
    record(state, "shared", tape) { name, value, last in last.map { !areEqual($0, value) } ?? false
    }
  }

  /// Puts on tape what came with a key that the state did not have.
  func recordLoaded<State>(in state: State, _ tape: Tape) {
    record(state, "sharedLoaded", tape) { name, _, last in last == nil && !name.hasPrefix("#") }
  }

  private func record<State>(
    _ state: State, _ key: String, _ tape: Tape,
    where isTold: (_ name: String, _ value: Any, _ last: Any?) -> Bool
  ) {
    guard Self.places.areIn(State.self) else { return }
    var (state, told) = (state, [String: Value]())
    Self.places.visit(&state) { place in
      guard let whole = (place as? any SharedInState)?.whole else { return }
      let (name, value) = (name(of: whole), whole.wrappedValue as Any)
      let last = (shares[name] as? any SharedInState)?.whole.wrappedValue
      guard isTold(name, value, last), let value = value as? any Encodable else { return }
      told[name] = try? ValueEncoder().encode(value)
    }
    if !told.isEmpty { _ = tape.value(key) { told } }
  }

  private func relink<State>(_ state: inout State) {
    before = isRecording ? [:] : shares
    shares = [:]
    Self.places.visit(&state) { place in
      if let shared = place as? any SharedInState { place = shared.relinked(by: self) }
    }
    numbers = numbers.filter { shares["#\($0.value.number)"] != nil }
    lastNumber = shares.keys.compactMap { $0.hasPrefix("#") ? Int($0.dropFirst()) : nil }.max() ?? 0
  }

  fileprivate func share<Reference: MutableReference>(
    of reference: Reference
  ) -> ComposableArchitecture.Shared<Reference.Value>? {
    let mirror = Mirror(reflecting: reference)
    if let base = mirror.descendant("base") as? any MutableReference {
      return part(of: base, mirror.descendant("keyPath"), as: Reference.Value.self)
    }
    let name = SharedName(of: reference)
    if name.isPart, let text = name.text {
      return recordedShare(reference.wrappedValue, text, isPart: true)
    }
    let text = self.name(of: reference)
    if let known = shares[text] { return known as? ComposableArchitecture.Shared<Reference.Value> }
    let share = recordedShare(
      value(of: text, reference), text, inMemory: isRunning ? name.inMemory : nil)
    shares[text] = share
    return share
  }

  private func part<Base: MutableReference, Value>(
    of base: Base, _ keyPath: Any?, as _: Value.Type
  ) -> ComposableArchitecture.Shared<Value>? {
    guard let whole = share(of: base) else { return nil }
    if let keyPath = keyPath as? WritableKeyPath<Base.Value, Value> {
      return whole[dynamicMember: keyPath]
    }
    let optional = whole as? ComposableArchitecture.Shared<Value?>
    return optional.flatMap { ComposableArchitecture.Shared<Value>($0) }
  }

  private func name(of whole: any MutableReference) -> String {
    if let name = SharedName(of: whole).text { return name }
    let id = ObjectIdentifier(whole)
    if let known = numbers[id] { return "#\(known.number)" }
    lastNumber += 1
    numbers[id] = (whole, lastNumber)
    return "#\(lastNumber)"
  }

  private func value<Reference: MutableReference>(
    of name: String, _ reference: Reference
  ) -> Reference.Value {
    if let value = outside[name], let type = Reference.Value.self as? any Decodable.Type,
      let decoded = try? ValueDecoder().decode(type, from: value) as? Reference.Value
    {
      return decoded
    }
    let known = before[name] as? ComposableArchitecture.Shared<Reference.Value>
    return known?.reference.wrappedValue ?? reference.wrappedValue
  }
}

private func areEqual(_ one: Any, _ other: Any) -> Bool {
  func open<Opened: Equatable>(_ one: Opened) -> Bool { one == other as? Opened }
  if let one = one as? any Equatable { return open(one) }
  let encoder = ValueEncoder()
  let values = [one, other].map { ($0 as? any Encodable).flatMap { try? encoder.encode($0) } }
  return values[0] == values[1]
}
