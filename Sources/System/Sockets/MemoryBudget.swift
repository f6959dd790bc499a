import Platform

/// Memory that several parties share, in bytes.
package final class MemoryBudget: Sendable {
  private let left: Locked<Int>

  package init(_ bytes: Int) { left = Locked(bytes) }

  /// Changes one party's share. Nothing changes and the answer is false if the others leave too little.
  package func change(_ share: inout Int, to new: Int) -> Bool {
    let (old, new) = (share, max(0, new))
    let isGranted = left.withLock { left in
      guard new - old <= max(0, left) else { return false }
      left -= new - old
      return true
    }
    if isGranted { share = new }
    return isGranted
  }
}
