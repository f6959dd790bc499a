// The parts of SwiftUI that StoreObservation uses, with their real signatures.
@_exported import Observation

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}

  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { fatalError() }
}

@dynamicMemberLookup
@propertyWrapper
public struct Bindable<Value> {
  private init(_ value: Value, _: Void) { wrappedValue = value }

  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { fatalError() }
}

extension Bindable where Value: AnyObject, Value: Observable {
  public init(wrappedValue: Value) { self.init(wrappedValue, ()) }
  public init(_ wrappedValue: Value) { self.init(wrappedValue, ()) }
  public init(projectedValue: Bindable<Value>) { self.init(projectedValue.wrappedValue, ()) }
}

extension Bindable: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}
