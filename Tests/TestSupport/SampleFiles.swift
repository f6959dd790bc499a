import Platform

/// The files that Redux DevTools wrote: `$RETCON_SAMPLES`, by default beside the package.
package enum SampleFiles {
  private static let folder = environmentVariable("RETCON_SAMPLES") ?? beside

  private static var beside: String {
    let here = realpath(#filePath, nil)
    defer { free(here) }
    let root = here.map { String(cString: $0) }?.split(separator: "/").dropLast(3)
      .joined(separator: "/")
    return "/\(root ?? "")/../shared/samples"
  }

  package static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
