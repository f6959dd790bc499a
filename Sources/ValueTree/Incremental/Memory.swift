/// What an `encode(to:)` gave to its containers, call by call.
final class Memory {
  private struct Call {
    var key: String?
    var index: Int
    var type: Any.Type
    var held: AnyObject
  }

  /// Whether values are only noted down, not encoded.
  let isDry: Bool
  /// Set when the calls did not simply add up to one container.
  var isVoid = false
  /// How many values were given, scalars and nested containers included.
  var callCount = 0
  private var calls: [Call] = []
  private var next = 0

  init(isDry: Bool) { self.isDry = isDry }

  func add(_ step: EncodingPlace.Step, type: Any.Type, held: AnyObject?) {
    guard let held else { return }
    switch step {
    case .key(let key): calls.append(Call(key: key.stringValue, index: 0, type: type, held: held))
    case .index(let index): calls.append(Call(key: nil, index: index, type: type, held: held))
    case .single, .root: calls.append(Call(key: nil, index: 0, type: type, held: held))
    }
  }

  /// What was given at a place, when it was of this type. Asked for in the order of the calls.
  func held(_ step: EncodingPlace.Step, type: Any.Type) -> AnyObject? {
    for place in calls[min(next, calls.count)...].indices.prefix(64) {
      guard isMade(calls[place], step) else { continue }
      next = place + 1
      return calls[place].type == type ? calls[place].held : nil
    }
    return nil
  }

  private func isMade(_ call: Call, _ step: EncodingPlace.Step) -> Bool {
    switch step {
    case .key(let key): call.key.map { $0.isExactly(key.stringValue) } ?? false
    case .index(let index): call.key == nil && call.index == index
    case .single, .root: call.key == nil
    }
  }

  /// Before it is read again from its first call on.
  func rewind() { next = 0 }
}
