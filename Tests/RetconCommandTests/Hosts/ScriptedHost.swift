import HostProtocol
import Platform
import TerminalDriver
import Testing

@testable import RetconCommand

/// A host written in shell, that does what a row of a table says: nothing of ours stands on the other
/// side of the talk.
struct ScriptedHost {
  let command: HostCommand
  private let pidFile: String

  /// What every script may call.
  private static let words = #"""
    n=0
    hear() { read -r request || exit 0; n=$((n+1)); }
    say() { printf '%s\n' "$1"; }
    greet() { hear; say '{"id":1,"answer":"greeting","version":[1,1],"name":"Scripted","seesEffects":true}'; }
    load() { hear; say '{"id":2,"answer":"loaded","steps":34,"grade":"fine"}'; }
    begin() { greet; load; hear; }
    verified() { say '{"id":3,"answer":"verified","report":{"steps":'"$1$2"'}}'; }
    step() { say '{"id":3,"news":"step","step":{"number":'$1',"label":"a","action":1,"cause":"user","values":"recorded","outcome":"equal"'"$2"'}}'; }
    ran() { say '{"id":3,"answer":"ran","report":{"lastStep":'$1',"ending":"complete"'"$2"'}}'; }
    many() { head -c "$1" /dev/zero | tr '\0' "$2"; }
    rest() { while read -r request; do :; done; }
    where() { while read -r request; do say '{"id":0,"answer":"whereabouts"'"$1"'}'; done; }
    stay() { trap '' TERM INT HUP; while :; do sleep 1; done; }
    """#

  init(_ script: String, in folder: String) throws {
    pidFile = "\(folder)/pid"
    let file = "\(folder)/host.sh"
    try FileSystem.write(
      "echo $$ > '\(pidFile)'\n\(Self.words)\n\(script)\n", to: file)
    command = HostCommand("/bin/sh", [file])
  }

  /// Whether the process, and all of its group, is gone, or will be in a moment.
  var isGone: Bool {
    guard let text = try? FileSystem.text(of: pidFile),
      let group = Int32(text.prefix { $0.isNumber })
    else { return true }
    for _ in 0..<1000 {
      if !Self.lives(group) { return true }
      poll(nil, 0, 10)
    }
    return false
  }

  /// Those that are dead and that nobody has asked for do not count.
  private static func lives(_ group: pid_t) -> Bool {
    guard kill(-group, 0) == 0 else { return false }
    guard let folder = opendir("/proc") else { return true }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard Int(name) != nil, let stat = try? FileSystem.text(of: "/proc/\(name)/stat"),
        let end = stat.lastIndex(of: ")")
      else { continue }
      // State, parent and group follow the name of the program.
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      if fields.count > 2, fields[2] == "\(group)", fields[0] != "Z" { return true }
    }
    return false
  }
}

/// The real program, run to its end.
struct ProgramRun {
  var status: Int32
  var text: String
  /// Of the program itself, in megabytes.
  var memory: Int
  /// What it and those that it waited for computed.
  var processorSeconds: Double

  init(_ arguments: [String]) throws {
    let pipe = try #require(closingPipe())
    var start = ChildStart(BuiltProgram.path("retcon"), arguments)
    start.environment = TestEnvironment.variables()
    start.files = [0: .nothing, 1: .descriptor(pipe.write), 2: .descriptor(pipe.write)]
    let child = Result { try start.run() }
    close(pipe.write)
    defer { close(pipe.read) }
    let pid = try child.get()
    text = String(
      decoding: WholeTransfer.readAll(from: pipe.read, limit: 1 << 24) ?? [], as: UTF8.self)
    var status: Int32 = 0
    var usage = rusage()
    _ = retryingInterrupted { wait4(pid, &status, 0, &usage) }
    self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    #if os(macOS)
      memory = usage.ru_maxrss >> 20
    #else
      memory = usage.ru_maxrss >> 10
    #endif
    func seconds(_ time: timeval) -> Double {
      Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
    processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
