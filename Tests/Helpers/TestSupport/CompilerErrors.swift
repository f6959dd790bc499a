import Platform

/// The compiler's errors in the Swift files of a folder that import what this test was built with:
/// `file:line:column: error: words`, a line for each.
package func compilerErrors(in folder: TemporaryFolder, options: [String] = []) async throws
  -> [String]
{
  // The compiler runs in the folder of the files: a relative path would lead nowhere.
  let built = folderAbove(absolutePath(CommandLine.arguments[0]))
  let command = """
    cd "$0" && modules=$1 && shift && exec swiftc -typecheck -wmo -suppress-warnings \
    -swift-version 6 -diagnostic-style llvm "$@" -I "$modules/Modules" \
    -load-plugin-executable "$modules/StoreMacrosPlugin-tool#StoreMacrosPlugin" *.swift >out 2>&1
    """
  let compiler = try ChildStart("/bin/sh", ["-c", command, folder.path, built] + options).run()
  let status = await withCheckedContinuation { continuation in
    let isWaiting = try? SystemThread.start {
      var status: Int32 = 0
      while waitpid(compiler, &status, 0) < 0, errno == EINTR {}
      continuation.resume(returning: status)
    }
    if isWaiting == nil { continuation.resume(returning: -1) }
  }
  let said = folder.text("out")
  let errors = said.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
  return status != 0 && errors.isEmpty ? [said] : errors
}
