/// The storage of an array that somebody else holds while it is looked at: counting references for each
/// of thousands of elements would cost more than comparing them.
///
/// The payload of a ``Value`` lies at its beginning; ``Borrowing/isPossible`` has seen that it does, and
/// where it does not, the storage is taken out the slow way (it stays held by its value).
struct BorrowedArray {
  let count: Int
  let elements: UnsafePointer<Value>?

  @inline(__always)
  init(_ value: UnsafePointer<Value>) {
    guard let node = Borrowing.node(value, of: ArrayNode.self) else {
      (count, elements) = (0, nil)
      return
    }
    (count, elements) = node._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointers { ($0.pointee.count, UnsafePointer($1)) }
    }
  }
}

/// The same for an object.
struct BorrowedObject {
  let count: Int
  let elements: UnsafePointer<Value>?
  private let node: Unmanaged<ObjectNode>?

  @inline(__always)
  init(_ value: UnsafePointer<Value>) {
    node = Borrowing.node(value, of: ObjectNode.self)
    guard let node else {
      (count, elements) = (0, nil)
      return
    }
    (count, elements) = node._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointers { ($0.pointee.count, UnsafePointer($1)) }
    }
  }

  /// What tells one shape from another.
  @inline(__always)
  var shape: UnsafeRawPointer? {
    node?._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { header in
        guard let offset = MemoryLayout<ObjectNode.Header>.offset(of: \.shape) else { return nil }
        return UnsafeRawPointer(header).load(fromByteOffset: offset, as: UnsafeRawPointer.self)
      }
    }
  }

  var keys: [String] { node?._withUnsafeGuaranteedRef { $0.head.pointee.shape.keys } ?? [] }

  func position(of key: String) -> Int? {
    node?._withUnsafeGuaranteedRef { $0.head.pointee.shape.position(of: key) }
  }

  func hasSameKeys(as other: BorrowedObject) -> Bool {
    guard let node, let otherNode = other.node else { return count == other.count }
    return node._withUnsafeGuaranteedRef { mine in
      otherNode._withUnsafeGuaranteedRef {
        mine.head.pointee.shape.hasSameKeys(as: $0.head.pointee.shape)
      }
    }
  }
}

/// Comparing the texts of two values that are both strings.
enum BorrowedText {
  @inline(__always)
  static func areSame(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    if Borrowing.isPossible {
      return UnsafeRawPointer(left).assumingMemoryBound(to: String.self).pointee
        .isExactly(UnsafeRawPointer(right).assumingMemoryBound(to: String.self).pointee)
    }
    guard case .string(let text) = left.pointee, case .string(let other) = right.pointee else {
      return false
    }
    return text.isExactly(other)
  }
}

enum Borrowing {
  /// Whether a value's storage is found at its beginning. Tried out once, on one value of each kind.
  static let isPossible: Bool = {
    let array: Value = [1]
    let object: Value = ["a": 1]
    let text: Value = "a text that is too long to be stored in place"
    func payload(_ value: Value) -> UnsafeRawPointer? {
      withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: UnsafeRawPointer?.self) }
    }
    let isText = withUnsafePointer(to: text) {
      guard MemoryLayout<String>.size <= MemoryLayout<Value>.size,
        case .string(let string) = $0.pointee
      else { return false }
      let bits = UnsafeRawPointer($0).load(as: (UInt, UInt).self)
      return bits == unsafeBitCast(string, to: (UInt, UInt).self)
    }
    return isText
      && payload(array)
        == array.node.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
      && payload(object)
        == object.node.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
  }()

  /// The storage of a container that is known to be of this kind; nil for an empty one.
  @inline(__always)
  static func node<Node: AnyObject>(
    _ value: UnsafePointer<Value>, of type: Node.Type
  ) -> Unmanaged<Node>? {
    if isPossible {
      return UnsafeRawPointer(value).load(as: UnsafeRawPointer?.self).map {
        Unmanaged<Node>.fromOpaque($0)
      }
    }
    return (value.pointee.node as? Node).map { Unmanaged.passUnretained($0) }
  }
}
