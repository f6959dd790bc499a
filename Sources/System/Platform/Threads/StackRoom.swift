/// The remaining stack of the current thread, for recursive functions.
///
/// A depth limit alone is not enough: the same depth may take 2 MB, which fits in 8 MB but not in
/// the usual 512 KB of Apple's threads.
package enum StackRoom {
  /// For the frames between two checks, and their calls.
  private static let reserve: UInt = 64 << 10

  package static var isShort: Bool {
    var here: UInt8 = 0
    return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } < end + reserve
  }

  /// Caches ``end`` for each thread: on Linux it takes reading a file.
  private static let key = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

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
      // Swift does not import this function. Programs linked without it use only the depth.
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
