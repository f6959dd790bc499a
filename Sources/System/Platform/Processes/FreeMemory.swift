/// Makes the allocator return free memory, so that a long-running program does not keep its peak.
///
/// In glibc each thread has a heap that never shrinks, and a growing array leaves its old places
/// behind.
package func returnFreeMemorySoon() {
  #if os(Linux)
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    guard let found = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(found, to: Function.self)
    // M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD in glibc's malloc.h.
    for (option, value) in [(-8, 2), (-3, 128 << 10), (-1, 128 << 10)] as [(Int32, Int32)] {
      _ = mallopt(option, value)
    }
  #endif
}
