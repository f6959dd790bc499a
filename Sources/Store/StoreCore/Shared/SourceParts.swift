/// A value of another architecture, for whoever writes it as Swift source.
@_spi(Adapters) public enum SourceParts {
  /// A shared value with the name of its key. `isPart` says that it is only a part of that value.
  case shared(name: String, isPart: Bool, value: Any)
  /// A property that presents a child.
  case child(Any?)
  case stack([Any])
  /// The elements of a list that finds them by an id.
  case identified([(id: Any, element: Any)])
  case number(Int)
  case binding(name: String, value: Any)
}

/// A type that source names otherwise than by its stored parts.
@_spi(Adapters) public protocol PartedForSource {
  /// How source writes this value.
  var sourceParts: SourceParts { get }
}
