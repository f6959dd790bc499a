import SessionWords
import ValueTree

/// Why a value did not decode, and where in it.
struct DecodingTrouble {
  var type: String
  var path: String
  var problem: String

  /// `type` is what was to be decoded.
  init(_ error: DecodingError, of type: String) {
    let context: DecodingError.Context
    (self.type, problem) = (type, "")
    switch error {
    case .typeMismatch(let wanted, let place):
      (self.type, problem, context) = ("\(wanted)", place.debugDescription, place)
    case .valueNotFound(let wanted, let place):
      (self.type, problem, context) = ("\(wanted)", "there is no value", place)
    case .keyNotFound(let key, let place):
      (problem, context) = ("there is no “\(key.stringValue)”", place)
    case .dataCorrupted(let place): (problem, context) = (place.debugDescription, place)
    @unknown default: (problem, context) = ("\(error)", .init(codingPath: [], debugDescription: ""))
    }
    path = Pointer(context.codingPath).description
  }
}

extension Pointer {
  init(_ keys: [any CodingKey]) {
    self.init(tokens: keys.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}

extension ValueProblem {
  /// Nil for a value that decodes as the type.
  init?(of value: Value, as type: (some Decodable).Type) {
    do {
      _ = try ValueDecoder().decode(type, from: value)
      return nil
    } catch let error as DecodingError {
      let trouble = DecodingTrouble(error, of: String(reflecting: type))
      self.init(path: trouble.path, sentence: trouble.problem)
    } catch {
      self.init(sentence: "\(error)")
    }
  }
}
