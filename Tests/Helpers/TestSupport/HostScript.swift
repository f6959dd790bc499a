import Platform

/// Hosts written in a few words of shell, which misbehave as a test wants it.
///
/// ```sh
/// begin; step 31; step 33; rest
/// ```
package enum HostScript {
  /// Functions for every script.
  package static let words = #"""
    hear() { read -r request || exit 0; id=${request#*'"id":'}; id=${id%%,*}; }
    is() { case "$request" in *'"ask":"'$1'"'*) true;; *) false;; esac; }
    say() { printf '%s\n' "$1"; }
    greet() { hear; say '{"id":1,"answer":"greeting","version":[2,0],"name":"Scripted","seesEffects":true}'; }
    load() { hear; say '{"id":2,"answer":"loaded","steps":34,"grade":"fine"}'; }
    begin() { greet; load; hear; while is state; do say '{"id":'$id',"refusal":"other","message":"no state"}'; hear; done; }
    verified() { say '{"id":'$id',"answer":"verified","report":{"steps":'"$1$2"'}}'; }
    step() { say '{"id":'$id',"news":"step","step":{"step":'$1',"label":"a","action":1,"cause":"user","standing":["recorded","equal"]'"$2"'}}'; }
    ran() { say '{"id":'$id',"answer":"ran","report":{"lastStep":'$1',"ending":"complete"'"$2"'}}'; }
    many() { head -c "$1" /dev/zero | tr '\0' "$2"; }
    rest() { while read -r request; do :; done; }
    where() { while read -r request; do say '{"id":0,"answer":"whereabouts"'"$1"'}'; done; }
    stay() { trap '' TERM INT HUP; while :; do sleep 1; done; }
    """#

  /// Whether the process group whose number is in a file is gone, or ends in a moment. Dead
  /// processes without a waiting parent do not count.
  package static func isGone(_ folder: TemporaryFolder, _ pidFile: String = "pid") -> Bool {
    guard let group = Int32(folder.text(pidFile).prefix { $0.isNumber }) else { return true }
    for _ in 0..<1000 {
      if kill(-group, 0) != 0 || !hasLivingMember(group) { return true }
      poll(nil, 0, 10)
    }
    return false
  }

  private static func hasLivingMember(_ group: pid_t) -> Bool {
    let processes = namesInFolder("/proc").filter { Int($0) != nil }
    return processes.isEmpty
      || processes.contains { process in
        guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        // State, parent and group follow the name of the program.
        guard let end = text.lastIndex(of: ")") else { return false }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 2 && fields[2] == "\(group)" && fields[0] != "Z"
      }
  }
}
