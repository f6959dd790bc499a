import Platform
import Synchronization

/// A started host: its process and the three pipes to it, which are read and written without waiting.
struct HostProcess: Sendable {
  let pid: pid_t
  /// Where requests are written.
  let input: Int32
  /// Where messages are read.
  let output: Int32
  /// Where its last words are read.
  let errors: Int32
  /// Where it writes down what it does; nil where the system has no room for that.
  let page: StepPage?

  /// Starts the command in a process group of its own, so that keys typed at the debugger's
  /// terminal do not reach it.
  init(_ command: HostCommand, endBeside: Int? = nil) throws(HostFailure) {
    let pipes = try Self.openPipes(command)
    let page = StepPage.new()
    if let endBeside { page?.page.set(endBeside: endBeside) }
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
    HostGroups.add(pid)
    self.page = page?.page
    input = pipes[0].write
    output = pipes[1].read
    errors = pipes[2].read
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Ends the process and what it started itself.
  func kill() { _ = Platform.kill(-pid, SIGKILL) }

  /// Nil while it runs.
  func exitIfEnded() -> HostExit? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? HostExit(waitStatus: status) : nil
  }

  func waitForExit() -> HostExit {
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(pid, &status, 0) }
    return HostExit(waitStatus: status)
  }

  /// Lets go of all that was had for it.
  func close() {
    HostGroups.remove(pid)
    for end in [input, output, errors] { Platform.close(end) }
    page?.unmap()
  }

  private static func openPipes(
    _ command: HostCommand
  ) throws(HostFailure) -> [(read: Int32, write: Int32)] {
    var pipes: [(read: Int32, write: Int32)] = []
    for _ in 0..<3 {
      guard let pipe = closingPipe() else {
        let reason = errorText(errno)
        for (read, write) in pipes {
          Platform.close(read)
          Platform.close(write)
        }
        throw .couldNotStart(command, reason: reason)
      }
      pipes.append(pipe)
    }
    return pipes
  }

  private static func environment(_ command: HostCommand) -> [String: String] {
    var variables = currentEnvironment()
    // Of a crash only the thread that crashed is of interest, in a form that can be read again.
    variables["SWIFT_BACKTRACE"] =
      variables["SWIFT_BACKTRACE"]
      ?? "enable=yes,interactive=no,color=no,threads=crashed,images=none,registers=none,"
      + "limit=64,top=0,timeout=none,output-to=stderr,sanitize=no"
    variables.merge(command.environment) { $1 }
    return variables
  }
}

/// Numbers that a host writes where the debugger can read them, whatever ends the process: the request
/// that it works on, the step that it is in, and the step of the recording that it runs beside a fork.
/// 0 is none. The fourth is for the host: the step that ended an earlier one when it was run so. The fifth
/// says that the step is none of the branch that was asked for, but of one that it leaves: by how many
/// scripts that is made.
///
/// The debugger hands over a small file, whose descriptor stands in the environment; the numbers are
/// its first five words.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to are atomics.
package struct StepPage: @unchecked Sendable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>

  /// The name in the environment of a host.
  package static let variable = "RETCON_STEP_PAGE"
  /// Its descriptor in the host, where no shell script puts anything.
  static let number: Int32 = 63
  private static let size = 4096
  private static let count = 5

  package func set(request: Int) { numbers[0].store(request, ordering: .relaxed) }
  package func set(step: Int) { numbers[1].store(step, ordering: .relaxed) }
  package func set(stepBeside step: Int) { numbers[2].store(step, ordering: .relaxed) }
  package func set(parent depth: Int) { numbers[4].store(depth, ordering: .relaxed) }
  var parent: Int { numbers[4].load(ordering: .relaxed) }
  func set(endBeside step: Int) { numbers[3].store(step, ordering: .relaxed) }
  /// It is about the session that is loaded first.
  package func takeEndBeside() -> Int? {
    let step = numbers[3].exchange(0, ordering: .relaxed)
    return step > 0 ? step : nil
  }
  var stepBeside: Int { numbers[2].load(ordering: .relaxed) }
  package var request: Int { numbers[0].load(ordering: .relaxed) }
  package var step: Int { numbers[1].load(ordering: .relaxed) }

  /// For nobody else: where no debugger handed one over.
  package init() {
    numbers = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (numbers + index).initialize(to: Atomic(0)) }
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
    numbers = memory.bindMemory(to: Atomic<Int>.self, capacity: Self.count)
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
