/// How much stack the current thread has left, for functions that call themselves.
///
/// A limit on depth alone is not enough: the same depth takes 2 MB of one thread's 8 MB, and kills a thread that
/// has 512 KB, the usual size on Apple's systems.
package enum StackRoom {
  /// For the frames between two checks, and for what they call.
  private static let reserve: UInt = 64 << 10

  /// Whether the thread is near the end of its stack.
  package static var isShort: Bool {
    var here: UInt8 = 0
    return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } < end + reserve
  }

  /// Keeps ``end`` for each thread: finding it takes a file on Linux.
  private static let key = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The lowest address of this thread's stack.
  private static var end: UInt {
    if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
    let end = lowestAddress
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: end))
    return end
  }

  private static var lowestAddress: UInt {
    #if canImport(Darwin)
      let thread = pthread_self()
      return UInt(bitPattern: pthread_get_stackaddr_np(thread))
        - UInt(pthread_get_stacksize_np(thread))
    #else
      // Swift does not import this function. In a program that is linked without it, only depth counts.
      typealias Getter = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
      guard let address = dlsym(nil, "pthread_getattr_np") else { return 0 }
      var attributes = pthread_attr_t()
      guard unsafeBitCast(address, to: Getter.self)(pthread_self(), &attributes) == 0 else {
        return 0
      }
      defer { pthread_attr_destroy(&attributes) }
      var (lowest, size) = (UnsafeMutableRawPointer?.none, 0)
      pthread_attr_getstack(&attributes, &lowest, &size)
      return UInt(bitPattern: lowest)
    #endif
  }
}
