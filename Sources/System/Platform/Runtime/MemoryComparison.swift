/// Compares two values down to the bits of numbers and captures of closures. It never guesses:
/// opaque values are not the same.
///
/// Objects are the same only by identity. Pointers never are: their target may be gone and
/// replaced.
package struct MemoryComparison {
  private enum Way {
    case shape(TypeMetadata.Shape)
    case parts(any ComparedByParts.Type)
  }

  private var ways: [ObjectIdentifier: Way] = [:]
  /// Shared by all comparisons, because types do not change.
  private static let knownWays = Locked<[ObjectIdentifier: Way]>([:])
  /// Nested values and closures may form cycles.
  private var depth = 0
  private var count = 0
  private static var depthLimit: Int { 100 }
  private static var countLimit: Int { 1_000_000 }

  private init() {}

  /// If closures look unexpected in this program, nothing is the same.
  package static func areSame<Value>(_ one: Value, _ other: Value) -> Bool {
    readsClosures && areAlike(one, other)
  }

  private static let readsClosures: Bool = {
    let same = closure(1, "a")
    return areAlike(same, closure(1, "a")) && !areAlike(same, closure(2, "a"))
      && !areAlike(same, closure(1, "b"))
  }()

  private struct Held: Sendable {
    var closure: @Sendable () -> String
  }

  /// Not inlined, because two copies of the code would not compare as the same.
  @inline(never)
  private static func closure(_ number: Int, _ text: String) -> Held { Held { "\(number)\(text)" } }

  private static func areAlike<Value>(_ one: Value, _ other: Value) -> Bool {
    var comparison = MemoryComparison()
    comparison.ways = knownWays.withLock { $0 }
    let known = comparison.ways.count
    defer {
      if comparison.ways.count > known { knownWays.withLock { $0 = comparison.ways } }
    }
    return comparison.areSame(one, other)
  }

  package mutating func areSame<Value>(_ one: Value, _ other: Value) -> Bool {
    withUnsafePointer(to: one) { one in
      withUnsafePointer(to: other) { areSame(UnsafeRawPointer(one), $0, Value.self) }
    }
  }

  fileprivate mutating func areSame(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ type: Any.Type
  ) -> Bool {
    depth += 1
    count += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit, count < Self.countLimit else { return false }
    switch way(for: type) {
    case .parts(let type):
      func compare<Whole: ComparedByParts>(_ type: Whole.Type) -> Bool {
        one.assumingMemoryBound(to: type).pointee
          .isSame(as: other.assumingMemoryBound(to: type).pointee, &self)
      }
      return compare(type)
    case .shape(.bits(let size)): return memcmp(one, other, size) == 0
    case .shape(.object):
      return one.load(as: UnsafeRawPointer?.self) == other.load(as: UnsafeRawPointer?.self)
    case .shape(.fields(let fields)):
      return fields.allSatisfy {
        $0.isStrong && areSame(one + $0.offset, other + $0.offset, $0.type)
      }
    case .shape(.cases): return haveSameCases(one, other, type)
    case .shape(.existential): return holdSame(one, other)
    case .shape(.closure): return areSameClosures(one, other)
    case .shape(.unknown): return false
    }
  }

  private mutating func way(for type: Any.Type) -> Way {
    let id = ObjectIdentifier(type)
    if let known = ways[id] { return known }
    let parts = (type as? any ComparedByParts.Type).map(Way.parts)
    let way = parts ?? .shape(TypeMetadata(type).shape)
    ways[id] = way
    return way
  }

  private mutating func haveSameCases(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ type: Any.Type
  ) -> Bool {
    let metadata = TypeMetadata(type)
    guard metadata.isCopyable, metadata.tag(at: one) == metadata.tag(at: other) else {
      return false
    }
    // Looking into a case changes the value.
    func compare<Whole>(_ type: Whole.Type) -> Bool {
      var one = one.assumingMemoryBound(to: type).pointee
      var other = other.assumingMemoryBound(to: type).pointee
      return withUnsafeMutablePointer(to: &one) { one in
        withUnsafeMutablePointer(to: &other) { other in
          var areSame = true
          let isKnown = metadata.withPayload(at: one) { one, type in
            let isKnown = metadata.withPayload(at: other) { other, _ in
              areSame = self.areSame(UnsafeRawPointer(one), other, type)
            }
            if !isKnown { areSame = false }
          }
          return isKnown && areSame
        }
      }
    }
    return _openExistential(type, do: compare)
  }

  private mutating func holdSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    let type = one.load(fromByteOffset: 24, as: Any.Type.self)
    guard type == other.load(fromByteOffset: 24, as: Any.Type.self) else { return false }
    guard let header = TypeMetadata(type).boxHeader else { return areSame(one, other, type) }
    let box = one.load(as: UnsafeRawPointer.self)
    let otherBox = other.load(as: UnsafeRawPointer.self)
    return box == otherBox || areSame(box + header, otherBox + header, type)
  }

  private mutating func areSameClosures(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer
  ) -> Bool {
    func words(_ closure: UnsafeRawPointer) -> (UnsafeRawPointer?, object: UnsafeRawPointer?) {
      closure.load(as: (UnsafeRawPointer?, UnsafeRawPointer?).self)
    }
    guard words(one).0 == words(other).0 else { return false }
    if words(one).object == words(other).object { return true }
    guard let one = words(one).object, let other = words(other).object,
      one.load(as: UnsafeRawPointer.self) == other.load(as: UnsafeRawPointer.self)
    else { return false }
    // A single captured reference is stored directly.
    if let type = Self.container(storedIn: one) {
      return withUnsafePointer(to: one) { one in
        withUnsafePointer(to: other) { areSame(UnsafeRawPointer(one), $0, type) }
      }
    }
    guard let captures = ClosureCaptures(heldBy: one) else { return false }
    let bindings = captures.bindings
    return memcmp(one + bindings.lowerBound, other + bindings.lowerBound, bindings.count) == 0
      && captures.captures.allSatisfy { capture in
        let (one, other) = (one + capture.offset, other + capture.offset)
        return capture.type.map { areSame(one, other, $0) } ?? areSameClosures(one, other)
      }
  }

  private static func container(storedIn object: UnsafeRawPointer) -> Any.Type? {
    let type = unsafeBitCast(object.load(as: UnsafeRawPointer.self), to: Any.Type.self)
    guard TypeMetadata(type).isObject, let name = _mangledTypeName(type) else { return nil }
    for (storage, collection) in [
      ("s23_ContiguousArrayStorageCy", "Say"), ("s18_DictionaryStorageCy", "SDy"),
      ("s11_SetStorageCy", "Shy"),
    ] where name.hasPrefix(storage) {
      return _typeByName(collection + name.dropFirst(storage.count))
    }
    return nil
  }
}

package protocol ComparedByParts {
  func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool
}

extension ComparedByParts where Self: Collection {
  /// For collections that consist of a reference to immutable storage.
  fileprivate func hasSameStorage(as other: Self) -> Bool {
    withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
  }
}

extension Optional: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return comparison.areSame(self, other)
  }
}

extension String: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension Array: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    count == other.count
      && (hasSameStorage(as: other) || zip(self, other).allSatisfy { comparison.areSame($0, $1) })
  }
}

extension Dictionary: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    count == other.count
      && (hasSameStorage(as: other)
        || allSatisfy { key, value in
          guard let place = other.index(forKey: key) else { return false }
          // Names of types never change.
          return (Key.self == ObjectIdentifier.self || comparison.areSame(key, other[place].key))
            && comparison.areSame(value, other[place].value)
        })
  }
}

extension Set: ComparedByParts {
  package func isSame(as other: Self, _ comparison: inout MemoryComparison) -> Bool {
    count == other.count
      && (hasSameStorage(as: other)
        || allSatisfy { element in
          other.firstIndex(of: element).map { comparison.areSame(element, other[$0]) } ?? false
        })
  }
}
