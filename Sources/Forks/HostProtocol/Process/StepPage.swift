import Platform
import Synchronization

/// Five numbers from the host to the debugger. They survive any crash; 0 means no number:
///
/// 1. the request that it works on;
/// 2. the step that it is in;
/// 3. the step of the recording that it runs beside a fork;
/// 4. for the host: 1 if such a run crashed an earlier one, so that nothing is compared;
/// 5. if the step belongs to a parent of the requested branch: the parent's number of scripts.
///
/// The debugger passes a small file by a descriptor in the environment; the numbers are its first
/// five words.
///
/// `@unchecked Sendable`: the pointer never changes, and it points to atomics.
package struct StepPage: @unchecked Sendable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>

  package static let variable = "RETCON_STEP_PAGE"
  /// The descriptor in the host, out of the way of shell scripts.
  static let number: Int32 = 63
  private static let size = 4096
  private static let count = 5

  package func set(request: Int) { numbers[0].store(request, ordering: .relaxed) }
  package func set(step: Int) { numbers[1].store(step, ordering: .relaxed) }
  package func set(stepBeside step: Int) { numbers[2].store(step, ordering: .relaxed) }
  package func set(parent depth: Int) { numbers[4].store(depth, ordering: .relaxed) }
  package var comparesNothing: Bool { numbers[3].load(ordering: .relaxed) > 0 }

  /// A run of the recording, or of a parent with so many scripts.
  typealias RunBeside = (depth: Int, step: Int)
  var runBeside: RunBeside? {
    let (step, depth) = (
      numbers[2].load(ordering: .relaxed), numbers[4].load(ordering: .relaxed)
    )
    return step > 0 ? (0, step) : depth > 0 && self.step > 0 ? (depth, self.step) : nil
  }
  package var request: Int { numbers[0].load(ordering: .relaxed) }
  package var step: Int { numbers[1].load(ordering: .relaxed) }

  package init() {
    numbers = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (numbers + index).initialize(to: Atomic(0)) }
  }

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
    numbers = memory.bindMemory(to: Atomic<Int>.self, capacity: Self.count)
  }

  /// An unnamed file's page with its descriptor; nil if the system has no room.
  static func new(comparesNothing: Bool) -> (page: StepPage, descriptor: Int32)? {
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
    if comparesNothing { page.numbers[3].store(1, ordering: .relaxed) }
    return (page, descriptor)
  }

  func unmap() { munmap(numbers, Self.size) }
}
