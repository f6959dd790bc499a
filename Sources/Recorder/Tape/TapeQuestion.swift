import SessionWords
import ValueTree

/// What a tape is asked. The arguments are encoded when somebody wants to know them.
package struct TapeQuestion: Sendable {
  package let key: String
  private let encode: (@Sendable () -> [Value])?
  /// When it was asked, where the recording keeps how long answers take.
  var askedAt: Duration?

  /// `arguments` may be called later and on another thread; nil for a dependency that takes none.
  package init(_ key: String, arguments: (@Sendable () -> [Value])? = nil) {
    self.key = key
    encode = arguments
  }

  /// One value for each; nil for a dependency that takes none.
  package var arguments: [Value]? { encode?() }

  init(_ key: String, _ arguments: [any Encodable & Sendable], _ references: ReferenceSearch) {
    guard !arguments.isEmpty else {
      self.init(key)
      return
    }
    let encode: @Sendable () -> [Value] = { arguments.map { Self.value(of: $0, references) } }
    if arguments.contains(where: { references.mayBe(inValue: $0) }) {
      let values = encode()
      self.init(key) { values }
    } else {
      self.init(key, arguments: encode)
    }
  }

  /// `mayChange` says that an instance may be among them: then they are encoded now.
  init<each Argument>(
    _ key: String, _ references: ReferenceSearch, mayChange: Bool,
    _ argument: repeat each Argument
  ) {
    let copied = CopiedArguments(argument: (repeat each argument))
    if mayChange {
      let values = copied.values(references)
      self.init(key) { values }
    } else {
      self.init(key) { copied.values(references) }
    }
  }

  /// Encoded where it can be, else as all that it shows where that is all that it is.
  fileprivate static func value<Argument>(
    of argument: Argument, _ references: ReferenceSearch
  ) -> Value {
    if let argument = argument as? any Encodable {
      return (try? ValueEncoder().encode(argument)) ?? Question.incomparable(Argument.self)
    }
    if argument is AnyKeyPath || references.mayBe(inValue: argument) {
      return Question.incomparable(Argument.self)
    }
    return Value(reflecting: argument)
  }
}

/// The arguments of one call.
///
/// `@unchecked Sendable`: it goes to another thread only where its types prove that they hold no
/// references, so that this copy is nobody else's.
private struct CopiedArguments<each Argument>: @unchecked Sendable {
  let argument: (repeat each Argument)

  func values(_ references: ReferenceSearch) -> [Value] {
    var values: [Value] = []
    repeat values.append(TapeQuestion.value(of: each argument, references))
    return values
  }
}
