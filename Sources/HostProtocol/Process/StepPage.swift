import Platform
import Synchronization

/// Two numbers that a host writes where the debugger can read them, whatever ends the process: the
/// request that it works on, and the step that it is in. 0 is none.
///
/// The debugger hands over a small file, whose descriptor stands in the environment; the numbers are
/// its first two words.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to are atomics.
package struct StepPage: @unchecked Sendable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>

  /// The name in the environment of a host.
  package static let variable = "RETCON_STEP_PAGE"
  /// Its descriptor in the host, where no shell script puts anything.
  static let number: Int32 = 63
  private static let size = 4096

  package func set(request: Int) { numbers[0].store(request, ordering: .relaxed) }
  package func set(step: Int) { numbers[1].store(step, ordering: .relaxed) }
  package var request: Int { numbers[0].load(ordering: .relaxed) }
  package var step: Int { numbers[1].load(ordering: .relaxed) }

  /// For nobody else: where no debugger handed one over.
  package init() {
    numbers = .allocate(capacity: 2)
    (numbers + 0).initialize(to: Atomic(0))
    (numbers + 1).initialize(to: Atomic(0))
  }

  /// The page that the debugger handed over; nil where there is none.
  package static func ofEnvironment() -> StepPage? {
    guard let text = environmentVariable(variable), let descriptor = Int32(text)
    else { return nil }
    unsetenv(variable)
    defer { close(descriptor) }
    return StepPage(descriptor)
  }

  private init?(_ descriptor: Int32) {
    let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    numbers = memory.bindMemory(to: Atomic<Int>.self, capacity: 2)
  }

  /// A page that no file name leads to, with the descriptor to hand over; nil where there is no room.
  static func new() -> (page: StepPage, descriptor: Int32)? {
    let folder = temporaryFolder
    var name = Array("\(folder)/retcon-step.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard ftruncate(descriptor, off_t(size)) == 0, let page = StepPage(descriptor) else {
      close(descriptor)
      return nil
    }
    return (page, descriptor)
  }

  /// Nobody reads or writes it any more.
  func unmap() { munmap(numbers, Self.size) }
}
