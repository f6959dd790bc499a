// The one place that knows which C library this is. `import Platform` brings all of it; a function
// that a type's own method hides is called by the layer's name: `Platform.write(…)`.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

/// What the system says about an error number.
package func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

/// Calls again as long as a signal interrupts the call.
@inlinable
package func retryingInterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result < 0, errno == EINTR { continue }
    return result
  }
}
