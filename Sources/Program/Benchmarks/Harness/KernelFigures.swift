import HostProtocol
import Platform

/// Memory and time of processes, from the Linux kernel. Rows that need it are skipped elsewhere.
struct KernelFigures {
  /// Private memory without a backing file.
  static func privateBytes() throws -> Double {
    try bytes("RssAnon:", in: "/proc/self/status")
  }

  /// The most memory that a process ever had.
  static func mostBytes(of process: Int32) throws -> Double {
    try bytes("VmHWM:", in: "/proc/\(process)/status")
  }

  /// All pages of a process, shared ones by its share.
  static func proportionalBytes(of process: Int32) throws -> Double {
    try bytes("Pss:", in: "/proc/\(process)/smaps_rollup")
  }

  static func children() -> [Int32] {
    namesInFolder("/proc").compactMap { name in
      guard let process = Int32(name), let parent = try? bytes("PPid:", in: "/proc/\(name)/status"),
        parent == Double(getpid()) * 1024
      else { return nil }
      return process
    }
  }

  /// The CPU time of a process, in hundredths of a second.
  static func seconds(of process: Int32) throws -> Double {
    Double(try ticks(of: process)) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Waits until a process has been idle for a while.
  static func waitUntilIdle(_ process: Int32) async throws {
    var known = try ticks(of: process)
    while true {
      try await Task.sleep(for: .milliseconds(100))
      let now = try ticks(of: process)
      if now == known { return }
      known = now
    }
  }

  /// How often the system took the core away from this thread.
  static var interruptions: Int {
    var usage = rusage()
    // `RUSAGE_THREAD`, which the header hides.
    getrusage(1, &usage)
    return usage.ru_nivcsw
  }

  private static func ticks(of process: Int32) throws -> Int {
    let text = try BenchFile.text(of: "/proc/\(process)/stat")
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw OptionError(text: "/proc/\(process)/stat does not tell the time")
    }
    return user + system
  }

  private static func bytes(_ key: String, in path: String) throws -> Double {
    let line = try BenchFile.text(of: path).split(separator: "\n").first { $0.hasPrefix(key) }
    guard let count = Double(line?.filter(\.isNumber) ?? "") else {
      throw OptionError(text: "\(path) does not tell \(key)")
    }
    return count * 1024
  }
}

struct ChildProcess {
  var seconds: Double
  /// Its own, and that of the processes that it waited for.
  var processorSeconds: Double
  var peakBytes: Double
  var status: Int32

  /// Runs a command without a shell, with `/dev/null` as standard input and output.
  @discardableResult
  static func run(_ arguments: [String], isQuiet: Bool = false) throws -> ChildProcess {
    var command = ChildStart(arguments[0], Array(arguments.dropFirst()))
    command.files = [0: .nothing, 1: .nothing]
    if isQuiet { command.files[2] = .nothing }
    let watch = Stopwatch()
    return try waited(for: command.run(), since: watch)
  }

  /// Passes the lines of its standard output on until one is enough, and then ends it.
  static func reading(_ arguments: [String], line: (String) -> Bool) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw OptionError(text: "no pipe") }
    defer { close(ends[0]) }
    var command = ChildStart(arguments[0], Array(arguments.dropFirst()))
    command.files = [0: .nothing, 1: .descriptor(ends[1]), 2: .nothing]
    let child = try command.run()
    close(ends[1])
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isWanted = true
    while isWanted, case let count = read(ends[0], &bytes, bytes.count), count > 0 {
      text += bytes[..<count]
      while isWanted, let end = text.firstIndex(of: 10) {
        isWanted = line(String(decoding: text[..<end], as: UTF8.self))
        text.removeFirst(end + 1)
      }
    }
    if !isWanted { kill(child, SIGINT) }
    _ = waited(for: child, since: Stopwatch())
  }

  private static func waited(for child: pid_t, since watch: Stopwatch) -> ChildProcess {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    let seconds = watch.seconds
    #if os(macOS)
      let unit = 1.0
    #else
      let unit = 1024.0
    #endif
    let times = [usage.ru_utime, usage.ru_stime]
    let processor = times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    return ChildProcess(
      seconds: seconds, processorSeconds: processor, peakBytes: Double(usage.ru_maxrss) * unit,
      status: status)
  }

  /// The number that a program writes into a file.
  static func figure(of arguments: [String], in path: String) throws -> Double {
    guard try run(arguments).status == 0, let figure = Double(try BenchFile.text(of: path)) else {
      throw OptionError(text: "\(arguments[0]) gave no figure")
    }
    return figure
  }
}
