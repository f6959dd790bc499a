/// A copy of a value, kept so that its storage stays as it was: nobody can change storage that is
/// shared with it.
final class Held<T> {
  let pointer: UnsafeMutablePointer<T>

  init(copying source: UnsafePointer<T>) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: source.pointee)
  }

  var value: T { pointer.pointee }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
