/// The values of an unfinished container, later moved into its node.
struct ValueBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Value>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  @inline(__always)
  mutating func append(_ value: consuming Value) {
    if count == capacity { grow() }
    (base + count).initialize(to: value)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  mutating func replace(_ index: Int, with value: Value) {
    precondition(index < count, "only a value that was appended is replaced")
    base[index] = value
  }

  mutating func removeAll() { removeLast(count) }

  mutating func removeLast(_ number: Int) {
    (base + count - number).deinitialize(count: number)
    count -= number
  }

  mutating func removeLast() -> Value {
    precondition(count > 0, "there is a value to take")
    count -= 1
    return (base + count).move()
  }

  mutating func removeArray(_ number: Int) -> ValueArray {
    guard number > 0 else { return [] }
    count -= number
    return ValueArray(node: ValueNode.moving(base + count, count: number))
  }

  @inline(__always)
  mutating func removeObject(_ number: Int, _ shape: KeyShape) -> ValueObject {
    guard number > 0 else { return ValueObject(node: nil) }
    count -= number
    return ValueObject(node: ValueNode.moving(base + count, count: number, shape: shape))
  }

  mutating func removeObject(keys: [String]) -> ValueObject {
    let values = Array(UnsafeBufferPointer(start: base + count - keys.count, count: keys.count))
    removeLast(keys.count)
    return ValueObject(keys: keys, values: values)
  }
}
