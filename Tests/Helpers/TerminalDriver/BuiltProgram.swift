import Platform

/// Programs of this package, which are built beside the tests.
package enum BuiltProgram {
  package static func path(_ name: String) -> String {
    for folder in folders {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return name
  }

  /// The folders of the running program and of its arguments, each with the folders around it.
  private static var folders: [String] {
    var result: [String] = []
    for argument in CommandLine.arguments + [ownPath] {
      var parts = argument.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      while parts.count > 1 {
        result.append(parts.joined(separator: "/"))
        parts.removeLast()
      }
    }
    return result
  }

  private static var ownPath: String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      let count = buffer.withUnsafeMutableBytes {
        _NSGetExecutablePath($0.bindMemory(to: CChar.self).baseAddress!, &size) == 0 ? $0.count : 0
      }
    #else
      let count = buffer.withUnsafeMutableBytes {
        readlink("/proc/self/exe", $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
      }
    #endif
    return String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 0 }, as: UTF8.self)
  }
}
