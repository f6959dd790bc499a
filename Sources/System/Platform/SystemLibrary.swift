// The only place that knows the C library. `import Platform` brings all of it; if a method hides a
// function, write `Platform.write(…)`.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

package func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

@inlinable
package func retryingInterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result < 0, errno == EINTR { continue }
    return result
  }
}
