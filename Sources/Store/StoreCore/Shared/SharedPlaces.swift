import Platform
import Synchronization

/// Finds shared values in a state in memory: in properties, enum cases, `any` values, optionals and
/// collections. Those in objects, sets or dictionary keys are not found, and are an issue.
///
/// It caches facts about types.
final class SharedPlaces: Sendable {
  private let known = Locked<[ObjectIdentifier: Bool]>([:])
  let searched = Locked<Set<ObjectIdentifier>>([])
  /// Whether to search at all: set by the first shared value.
  static let isNeeded = Atomic<Bool>(false)

  func areIn(_ type: Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let isFound = !TypeMetadata.isKnown(type) { type in
      if type is any PlaceInState.Type || TypeMetadata(type).isExistential { return nil }
      if let type = type as? any SharedContainer.Type { return [type.heldType] }
      return TypeMetadata(type).fields?.map(\.type) ?? []
    }
    known.withLock { $0[key] = isFound }
    return isFound
  }

  func visit<State>(_ state: inout State, _ work: (inout any SharedPlace) -> Void) {
    guard Self.isNeeded.load(ordering: .relaxed) else { return }
    visitAll(&state) { place in
      guard var own = place as? any SharedPlace else { return }
      work(&own)
      place = own
    }
  }

  func visitAll<State>(_ state: inout State, _ work: (inout any PlaceInState) -> Void) {
    withUnsafeMutablePointer(to: &state) { visit(UnsafeMutableRawPointer($0), State.self, work) }
  }

  private func visit(
    _ pointer: UnsafeMutableRawPointer, _ type: Any.Type,
    _ work: (inout any PlaceInState) -> Void
  ) {
    guard areIn(type) else { return }
    if let type = type as? any PlaceInState.Type { return Self.change(pointer, type, work) }
    if let type = type as? any SharedContainer.Type {
      func open<Container: SharedContainer>(_ type: Container.Type) {
        pointer.assumingMemoryBound(to: type).pointee.visitHeld { visit($0, type.heldType, work) }
      }
      return open(type)
    }
    let metadata = TypeMetadata(type)
    if metadata.isExistential {
      func open<Holder>(_ type: Holder.Type) {
        visitHeld(&pointer.assumingMemoryBound(to: type).pointee, work)
      }
      _openExistential(type, do: open)
    } else if metadata.hasOffsets {
      for field in metadata.fields ?? [] { visit(pointer + field.offset, field.type, work) }
    } else {
      metadata.withPayload(at: pointer) { visit($0, $1, work) }
    }
  }

  private func visitHeld<Holder>(
    _ holder: inout Holder, _ work: (inout any PlaceInState) -> Void
  ) {
    func open<Held>(_ type: Held.Type) {
      guard var held = holder as? Held else {
        return reportIssue("A value of the type \(type) is none; its shared parts are unknown.")
      }
      visitOne(&held) { visit($0, type, work) }
      if let changed = held as? Holder { holder = changed }
    }
    let type = type(of: holder as Any)
    reportHidden(in: type)
    if areIn(type) { _openExistential(type, do: open) }
  }

  private static func change<Place: PlaceInState>(
    _ pointer: UnsafeMutableRawPointer, _ type: Place.Type,
    _ work: (inout any PlaceInState) -> Void
  ) {
    var place: any PlaceInState = pointer.assumingMemoryBound(to: type).pointee
    work(&place)
    guard let place = place as? Place else { return impossible("a place keeps its type") }
    pointer.assumingMemoryBound(to: type).pointee = place
  }
}

/// A container that copies its elements when they change.
@_spi(Adapters) public protocol SharedContainer {
  /// The type of the elements.
  static var heldType: Any.Type { get }
  /// Calls `visit` with each element's place.
  mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void)
}

private func visitOne<Held>(_ held: inout Held, _ visit: (UnsafeMutableRawPointer) -> Void) {
  withUnsafeMutablePointer(to: &held) { visit(UnsafeMutableRawPointer($0)) }
}

@_spi(Adapters) extension Optional: SharedContainer {
  /// The type of the elements.
  public static var heldType: Any.Type { Wrapped.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    guard var held = self else { return }
    visitOne(&held, visit)
    self = held
  }
}

@_spi(Adapters) extension PresentationState: SharedContainer {
  /// The type of the elements.
  public static var heldType: Any.Type { State.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    wrappedValue.visitHeld(visit)
  }
}

@_spi(Adapters) extension SharedContainer
where Self: MutableCollection, Self: RandomAccessCollection {
  /// The type of the elements.
  public static var heldType: Any.Type { Element.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for index in indices { visitOne(&self[index], visit) }
  }
}

@_spi(Adapters) extension Array: SharedContainer {}
@_spi(Adapters) extension ContiguousArray: SharedContainer {}

@_spi(Adapters) extension Dictionary: SharedContainer {
  /// The type of the elements.
  public static var heldType: Any.Type { Value.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for index in values.indices { visitOne(&values[index], visit) }
  }
}

@_spi(Adapters) extension IdentifiedArray: SharedContainer {
  /// The type of the elements.
  public static var heldType: Any.Type { Element.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for index in indices { update(index) { visitOne(&$0, visit) } }
  }
}

@_spi(Adapters) extension StackState: SharedContainer {
  /// The type of the elements.
  public static var heldType: Any.Type { Element.self }

  /// Calls `visit` with each element's place.
  public mutating func visitHeld(_ visit: (UnsafeMutableRawPointer) -> Void) {
    for id in ids { update(id) { visitOne(&$0, visit) } }
  }
}

enum SharedPart {
  static func names(of part: Any.Type, at offset: Int, in whole: Any.Type) -> [String]? {
    if offset == 0, part == whole { return [] }
    let metadata = TypeMetadata(whole)
    guard metadata.hasOffsets, let fields = metadata.fields else { return nil }
    for field in fields where field.offset <= offset {
      guard let rest = names(of: part, at: offset - field.offset, in: field.type) else { continue }
      return [field.name] + rest
    }
    return nil
  }

  static func type(of part: ArraySlice<String>, in whole: Any.Type) -> Any.Type? {
    guard let name = part.first else { return whole }
    let metadata = TypeMetadata(whole)
    guard metadata.hasOffsets, let field = metadata.fields?.first(where: { $0.name == name })
    else { return nil }
    return type(of: part.dropFirst(), in: field.type)
  }

  static func value(_ part: ArraySlice<String>, of whole: any Sendable) -> Any? {
    var found: Any?
    _ = changing(part, of: whole) { pointer, type in
      func open<Part>(_ type: Part.Type) -> Any { pointer.assumingMemoryBound(to: type).pointee }
      found = _openExistential(type, do: open)
    }
    return found
  }

  static func setting(
    _ part: ArraySlice<String>, of whole: any Sendable, to value: any Sendable
  ) -> any Sendable {
    changing(part, of: whole) { pointer, type in
      func open<Part>(_ type: Part.Type) {
        if let value = value as? Part { pointer.assumingMemoryBound(to: type).pointee = value }
      }
      _openExistential(type, do: open)
    }
  }

  private static func changing(
    _ part: ArraySlice<String>, of whole: any Sendable,
    _ work: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) -> any Sendable {
    func open<Whole: Sendable>(_ whole: Whole) -> any Sendable {
      var whole = whole
      withUnsafeMutablePointer(to: &whole) {
        descend(part, UnsafeMutableRawPointer($0), Whole.self, work)
      }
      return whole
    }
    return open(whole)
  }

  private static func descend(
    _ part: ArraySlice<String>, _ pointer: UnsafeMutableRawPointer, _ type: Any.Type,
    _ work: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) {
    guard let name = part.first else { return work(pointer, type) }
    let rest = part.dropFirst()
    if name.hasPrefix("["), let type = type as? any SharedElements.Type {
      func open<Elements: SharedElements>(_ type: Elements.Type) {
        pointer.assumingMemoryBound(to: type).pointee
          .withElement(String(name.dropFirst().dropLast())) { descend(rest, $0, $1, work) }
      }
      open(type)
    } else if let field = TypeMetadata(type).fields?.first(where: { $0.name == name }) {
      descend(rest, pointer + field.offset, field.type, work)
    }
  }
}

private protocol SharedElements {
  mutating func withElement(_ id: String, _ work: (UnsafeMutableRawPointer, Any.Type) -> Void)
}

extension IdentifiedArray: SharedElements {
  fileprivate mutating func withElement(
    _ id: String, _ work: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) {
    let quick = (ID.self as? any LosslessStringConvertible.Type)?.init(id) as? ID
    guard let index = quick.flatMap({ index(id: $0) }) ?? ids.firstIndex(where: { "\($0)" == id })
    else { return }
    update(index) { element in
      withUnsafeMutablePointer(to: &element) { work(UnsafeMutableRawPointer($0), Element.self) }
    }
  }
}
