@_spi(Internals) @_spi(References) import ComposableArchitecture
import SessionLog
@_spi(Adapters) import StoreCore

// How tests that `retcon test` writes name the library's values.

@_spi(Adapters) extension ComposableArchitecture.Shared: StoreCore.PartedForSource {
  public var sourceParts: SourceParts {
    let name = SharedName(of: reference)
    return .shared(name: name.text ?? "", isPart: name.isPart, value: wrappedValue)
  }
}

@_spi(Adapters) extension ComposableArchitecture.PresentationState: StoreCore.PartedForSource {
  public var sourceParts: SourceParts { .child(wrappedValue) }
}

@_spi(Adapters) extension ComposableArchitecture.StackState: StoreCore.PartedForSource {
  public var sourceParts: SourceParts { .stack(Array(self)) }
}

@_spi(Adapters) extension ComposableArchitecture.IdentifiedArray: StoreCore.PartedForSource {
  public var sourceParts: SourceParts { .identified(zip(ids, self).map { ($0, $1) }) }
}

/// In a test, an integer is an id.
@_spi(Adapters) extension ComposableArchitecture.StackElementID: StoreCore.PartedForSource {
  public var sourceParts: SourceParts { .number(generation) }
}

@_spi(Adapters) extension ComposableArchitecture.BindingAction: StoreCore.PartedForSource
where Root: RecordedBindings {
  public var sourceParts: SourceParts {
    .binding(name: actionLabel, value: Mirror(reflecting: self).descendant("value") as Any)
  }
}
