#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread outside Swift's pool, for work that waits without end.
///
/// Unchecked because of macOS only, where a thread's name is a pointer, which nobody follows here.
struct SystemThread: @unchecked Sendable {
  private let identifier: pthread_t

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread, or answers the error number.
  static func start(_ run: @escaping @Sendable () -> Void) -> Result<SystemThread, StartError> {
    let body = Unmanaged.passRetained(Body(run))
    let (identifier, error) = create(body.toOpaque())
    guard error == 0, let identifier else {
      body.release()
      return .failure(StartError(number: error))
    }
    return .success(SystemThread(identifier: identifier))
  }

  struct StartError: Error {
    var number: Int32
  }

  private static func create(_ body: UnsafeMutableRawPointer) -> (pthread_t?, Int32) {
    #if canImport(Darwin)
      var identifier: pthread_t?
    #else
      var identifier = pthread_t()
    #endif
    // The function is named in a variable first: handed over directly, Swift 6.3 crashes here.
    let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      guard let argument else { return nil }
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }
    let error = pthread_create(&identifier, nil, main, body)
    return (identifier, error)
  }

  func join() {
    pthread_join(identifier, nil)
  }
}
