import Platform

/// The storage of a container, without retaining it: reference counting for thousands of elements
/// would cost more than comparing them. The caller keeps the value alive.
///
/// Reads the payload at the start of a ``Value``, if `isPossible` found it there; else extracts it
/// the slow way.
struct BorrowedNode {
  let count: Int
  let elements: UnsafePointer<Value>?
  private let node: Unmanaged<ValueNode>?

  @inline(__always)
  init(_ value: UnsafePointer<Value>) {
    node =
      Self.isPossible
      ? UnsafeRawPointer(value).load(as: UnsafeRawPointer?.self).map(Unmanaged.fromOpaque)
      : value.pointee.node.map(Unmanaged.passUnretained)
    guard let node else {
      (count, elements) = (0, nil)
      return
    }
    (count, elements) = node._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointers { ($0.pointee.count, UnsafePointer($1)) }
    }
  }

  @inline(__always)
  var shape: UnsafeRawPointer? { node?._withUnsafeGuaranteedRef(\.shapeAddress) }

  var keys: [String] { node?._withUnsafeGuaranteedRef(\.keys) ?? [] }

  func position(of key: String) -> Int? {
    node?._withUnsafeGuaranteedRef { $0.head.pointee.shape?.position(of: key) }
  }

  func hasSameKeys(as other: BorrowedNode) -> Bool {
    guard let node, let otherNode = other.node else { return count == other.count }
    return node._withUnsafeGuaranteedRef { mine in
      otherNode._withUnsafeGuaranteedRef { mine.hasSameKeys(as: $0) }
    }
  }

  @inline(__always)
  static func haveSameText(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    if isPossible {
      return UnsafeRawPointer(left).assumingMemoryBound(to: String.self).pointee
        .isExactly(UnsafeRawPointer(right).assumingMemoryBound(to: String.self).pointee)
    }
    guard case .string(let text) = left.pointee, case .string(let other) = right.pointee else {
      return impossible("only texts are compared as texts", false)
    }
    return text.isExactly(other)
  }

  /// Whether a value's payload is at its start. Tried once, on one value of each kind.
  static let isPossible: Bool = {
    func beginsWithNode(_ value: Value) -> Bool {
      withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: UnsafeRawPointer?.self) }
        == value.node.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    }
    let text: Value = "a text that is too long to be stored in place"
    let isText = withUnsafePointer(to: text) {
      guard MemoryLayout<String>.size <= MemoryLayout<Value>.size,
        case .string(let string) = $0.pointee
      else { return false }
      let bits = UnsafeRawPointer($0).load(as: (UInt, UInt).self)
      return bits == unsafeBitCast(string, to: (UInt, UInt).self)
    }
    return isText && beginsWithNode([1]) && beginsWithNode(["a": 1])
  }()
}
