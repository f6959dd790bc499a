import TimeTravel
import ValueTree

/// A place of the state as it is written on a command line: a pointer, `/cart/items/3`, or a path,
/// `cart.items[3]`, with `state` before it or without; behind an `@` the step at which it is meant.
struct PlaceArgument: Sendable, Equatable {
  var pointer: Pointer
  var step: Int?

  init(_ pointer: Pointer) { self.pointer = pointer }

  init(_ text: String) throws(UsageError) {
    var text = text[...]
    if let at = text.lastIndex(of: "@"), let step = Int(text[text.index(after: at)...]) {
      self.step = step
      text = text[..<at]
    }
    pointer = try Self.pointer(String(text))
  }

  private static func pointer(_ text: String) throws(UsageError) -> Pointer {
    if text.isEmpty || text.hasPrefix("/") {
      do { return try Pointer(text) } catch {
        throw UsageError(what: "\(text) is no pointer", next: "Write /cart/items/3, with ~1 for /")
      }
    }
    let path =
      text == "state"
      ? "$"
      : text.hasPrefix("state.") || text.hasPrefix("state[")
        ? "$" + text.dropFirst(5) : text.hasPrefix("[") ? "$" + text : "$." + text
    guard let query = try? PathQuery(path), let place = query.singlePlace else {
      throw UsageError(
        what: "\(text) is no place of a state",
        next: "Write cart.items[3].title or /cart/items/3/title")
    }
    return place
  }

  /// The nearest place that is there, for one that is not: the first wrong name is replaced.
  func nearest(in state: Value) -> Pointer? {
    var known = Pointer()
    for (depth, token) in pointer.tokens.enumerated() {
      guard let value = state[known] else { return nil }
      if value[Pointer(tokens: [token])] == nil {
        guard case .object(let object) = value,
          let name = suggestion(for: token, among: object.map(\.key))
        else { return nil }
        return Pointer(tokens: known.tokens + [name] + pointer.tokens.dropFirst(depth + 1))
      }
      known = known.appending(token)
    }
    return nil
  }
}
