import Platform
import Synchronization

struct HostProcess: Sendable {
  let pid: pid_t
  let input: Int32
  let output: Int32
  let errors: Int32
  /// The page for its progress; nil if the system has no room.
  let page: StepPage?

  /// Starts the command in its own process group, so the debugger's terminal keys do not reach it.
  init(_ command: HostCommand, comparesNothing: Bool = false) throws(HostFailure) {
    let pipes = try Self.openPipes(command)
    let page = StepPage.new()
    if comparesNothing { page?.page.compareNothing() }
    var start = ChildStart(command.program, command.arguments)
    start.environment = Self.environment(command)
    start.files = [
      0: .descriptor(pipes[0].read), 1: .descriptor(pipes[1].write), 2: .descriptor(pipes[2].write),
    ]
    if let page {
      start.files[StepPage.number] = .descriptor(page.descriptor)
      start.environment?[StepPage.variable] = "\(StepPage.number)"
    }
    start.isApart = true
    let child = Result { () throws(ChildStart.Failure) in try start.run() }
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { Platform.close(end) }
    if let page { Platform.close(page.descriptor) }
    switch child {
    case .success(let pid): self.pid = pid
    case .failure(let failure):
      for end in [pipes[0].write, pipes[1].read, pipes[2].read] { Platform.close(end) }
      page?.page.unmap()
      throw .couldNotStart(command, reason: command.missingInterpreter ?? failure.reason)
    }
    EndWatcher.tell(.end(pid))
    self.page = page?.page
    input = pipes[0].write
    output = pipes[1].read
    errors = pipes[2].read
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  func kill() { _ = Platform.kill(-pid, SIGKILL) }

  func exitIfEnded() -> HostExit? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? HostExit(waitStatus: status) : nil
  }

  func waitForExit() -> HostExit {
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(pid, &status, 0) }
    return HostExit(waitStatus: status)
  }

  func close() {
    EndWatcher.tell(.spare(pid))
    for end in [input, output, errors] { Platform.close(end) }
    page?.unmap()
  }

  private static func openPipes(
    _ command: HostCommand
  ) throws(HostFailure) -> [(read: Int32, write: Int32)] {
    let pipes = (0..<3).compactMap { _ in closingPipe() }
    guard pipes.count < 3 else { return pipes }
    let reason = errorText(errno)
    for end in pipes.flatMap({ [$0.read, $0.write] }) { Platform.close(end) }
    throw .couldNotStart(command, reason: reason)
  }

  private static func environment(_ command: HostCommand) -> [String: String] {
    var variables = currentEnvironment()
    // Only the crashed thread, in a machine-readable form.
    variables["SWIFT_BACKTRACE"] =
      variables["SWIFT_BACKTRACE"]
      ?? "enable=yes,interactive=no,color=no,threads=crashed,images=none,registers=none,"
      + "limit=64,top=0,timeout=none,output-to=stderr,sanitize=no"
    variables.merge(command.environment) { $1 }
    return variables
  }
}

/// Five numbers that a host writes for the debugger, which survive any crash; 0 is none:
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
  func compareNothing() { numbers[3].store(1, ordering: .relaxed) }
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

  func unmap() { munmap(numbers, Self.size) }
}
