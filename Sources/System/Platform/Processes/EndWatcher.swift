/// A shell that waits for the end of this process, SIGKILL included, and tidies up after it.
package enum EndWatcher {
  /// The work to do after this process has ended.
  package enum Order {
    /// Ends a process group.
    case end(pid_t)
    /// Leaves a process group alone again.
    case spare(pid_t)
    /// Removes a folder and what is in it.
    case remove(String)
  }

  package static func send(_ order: Order) {
    #if os(macOS) || !canImport(Darwin)
      guard let pipe else { return }
      let words =
        switch order {
        case .end(let group): "end \(group)"
        case .spare(let group): "spare \(group)"
        case .remove(let folder): "remove \(absolutePath(folder))"
        }
      // The shell reads lines.
      guard !words.contains("\n") else { return }
      WholeTransfer.write("\(words)\n", to: pipe.write)
    #endif
  }

  #if os(macOS) || !canImport(Darwin)
    /// The reading end stays open here, too: a killed shell does not end the writers.
    private static let pipe: (read: Int32, write: Int32)? = {
      guard let pipe = closingPipe() else { return nil }
      var start = ChildStart("/bin/sh", ["-c", script])
      start.files = [0: .descriptor(pipe.read), 1: .nothing, 2: .nothing]
      start.isApart = true
      guard (try? start.run()) != nil else { return nil }
      _ = fcntl(pipe.write, F_SETFL, O_NONBLOCK)
      return pipe
    }()

    private static let script = #"""
      trap '' HUP INT QUIT TERM TSTP
      groups=' '
      while read -r order what; do
        case $order in
          end) groups="$groups$what ";;
          spare) groups="${groups%%" $what "*} ${groups#*" $what "}";;
          remove) set -- "$@" "$what";;
        esac
      done
      for group in $groups; do kill -s KILL -- "-$group"; done
      for folder; do [ -d "$folder" ] && /bin/rm -rf -- "$folder"; done
      """#
  #endif
}
