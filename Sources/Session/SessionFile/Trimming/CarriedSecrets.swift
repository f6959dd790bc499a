import SessionWords
import ValueTree

extension Redactor {
  /// So many carried secrets are followed. With more, the whole state is redacted.
  private static let mostCarried = 4_096
  package static let gaps = "what changed between steps that can be read"
  package static let overflow = "whole states, as over \(mostCarried) values were carried elsewhere"

  /// Tracks secrets that a patch's `move` and `copy` operations carry elsewhere. `before` is the
  /// state before the patch.
  package mutating func track(_ patch: Patch, from before: @autoclosure () -> Value?) {
    let carries = patch.operations.contains { operation in
      switch operation {
      case .move, .copy: true
      default: !carried.isEmpty
      }
    }
    guard carries, let before = before() else { return }
    let editor = ValueEditor(before)
    var places = carried
    func isArray(_ path: Pointer?) -> Bool {
      if let path, case .array? = try? editor.value(at: path) { true } else { false }
    }
    for operation in patch.operations {
      switch operation {
      case .add(let path, _): places.makeRoom(at: path, inArray: isArray(path.parent))
      case .replace(let path, _): places.removeAll { $0.starts(with: path) }
      case .remove(let path): places.remove(path, inArray: isArray(path.parent))
      case .move(let from, var path), .copy(let from, var path):
        let secrets = secrets(at: from, places)
        guard let value = try? editor.value(at: from) else { break }
        if case .move = operation, !from.isRoot {
          places.remove(from, inArray: isArray(from.parent))
          try? editor.apply(.remove(from))
        }
        if path.tokens.last == "-", let parent = path.parent,
          case .array(let array)? = try? editor.value(at: parent)
        {
          path = parent.appending(array.count)
        }
        places.makeRoom(at: path, inArray: isArray(path.parent))
        places += secrets.map { Place($0.rule, path.tokens + $0.tokens) }
        if places.count > Self.mostCarried, let rule = secrets.first?.rule {
          (places, overflows) = ([Place(rule, [])], true)
        }
        try? editor.apply(.add(path, value))
        continue
      case .test: break
      }
      guard (try? editor.apply(operation)) != nil else { break }
    }
    var distinct: Set<Place> = []
    carried = places.filter { distinct.insert($0).inserted }
  }

  /// Hides all that changed while steps could not be read: they may have carried a secret there.
  package mutating func hideChange(from before: Value?, to after: Value) {
    guard let rule = redaction.rules.first(where: \.isOfPlace) else { return }
    guard var state = before else {
      (carried, hidesGaps) = ([Place(rule, [])], true)
      return
    }
    for operation in Patch(from: state, to: after).operations {
      hidesGaps = true
      track(Patch([operation]), from: state)
      switch operation {
      case .add(let path, _), .replace(let path, _): carried.append(Place(rule, path.tokens))
      default: break
      }
      state = (try? Patch([operation]).applied(to: state)) ?? state
    }
  }

  /// The value at a place of the state, redacted like the state.
  package func part(_ value: Value, at place: Pointer) -> Value {
    part(value, at: place.tokens, without: secrets(at: place, carried))
  }

  package func pointer(_ place: Pointer) -> Pointer {
    Pointer(tokens: place.tokens.map { text($0, .key) })
  }

  private func secrets(at from: Pointer, _ carried: [Place]) -> [Place] {
    if let rule = from.tokens.lazy.compactMap({ self.rule(forKey: $0) }).first {
      return [Place(rule, [])]
    }
    return (named + carried).compactMap { place in
      let isMet = zip(place.tokens, from.tokens).allSatisfy { $0 == "*" || $0 == $1 }
      return isMet ? Place(place.rule, Array(place.tokens.dropFirst(from.tokens.count))) : nil
    }
  }
}

extension Redactor.Place {
  fileprivate func starts(with path: Pointer) -> Bool {
    Pointer(tokens: tokens).starts(with: path)
  }

  /// The same array element at another index, if this place is behind a changed one.
  fileprivate mutating func shift(by offset: Int, from path: Pointer) {
    guard let parent = path.parent, starts(with: parent), tokens.count >= path.tokens.count,
      let index = Int(path.tokens.last ?? ""), let own = Int(tokens[path.tokens.count - 1]),
      own >= index
    else { return }
    tokens[path.tokens.count - 1] = String(own + offset)
  }
}

extension [Redactor.Place] {
  fileprivate mutating func makeRoom(at path: Pointer, inArray: Bool) {
    if inArray {
      for index in indices { self[index].shift(by: 1, from: path) }
    } else {
      removeAll { $0.starts(with: path) }
    }
  }

  fileprivate mutating func remove(_ path: Pointer, inArray: Bool) {
    removeAll { $0.starts(with: path) }
    guard inArray else { return }
    for index in indices { self[index].shift(by: -1, from: path) }
  }
}
