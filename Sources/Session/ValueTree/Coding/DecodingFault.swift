/// The parts of a `DecodingError`, for sentences about it.
package struct DecodingFault {
  /// The wanted type; nil if the error does not name it.
  package private(set) var type: String?
  /// The place of the value that was decoded.
  package private(set) var path: Pointer
  /// The problem, for a reader who sees the path beside it.
  package private(set) var problem: String
  /// The decoder's own sentence, which names the place.
  package private(set) var sentence: String
  private var missingKey: String?

  package init(_ error: DecodingError) {
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(let wanted, let place):
      (type, problem, context) = ("\(wanted)", place.debugDescription, place)
    case .valueNotFound(let wanted, let place):
      (type, problem, context) = ("\(wanted)", "there is no value", place)
    case .keyNotFound(let key, let place):
      (problem, context) = ("there is no “\(key.stringValue)”", place)
      missingKey = key.stringValue
    case .dataCorrupted(let place): (problem, context) = (place.debugDescription, place)
    @unknown default:
      (problem, context) = ("\(error)", .init(codingPath: [], debugDescription: "\(error)"))
    }
    (path, sentence) = (Pointer(context.codingPath), context.debugDescription)
  }

  /// The place to repair: of the value, or of the key that it lacks.
  var place: Pointer { missingKey.map { path.appending($0) } ?? path }
}

extension Pointer {
  package init(_ keys: [any CodingKey]) {
    self.init(tokens: keys.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}
