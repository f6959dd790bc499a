import FoundationEssentials
import TestSupport
import Testing

/// Where the public test vectors lie: `$RETCON_CONFORMANCE`, by default beside the package.
enum ConformanceVectors {
  static func path(_ name: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let folder = environment["RETCON_CONFORMANCE"] ?? Checkout.root + "/../shared/conformance"
    let path = folder + "/" + name
    if FileManager.default.fileExists(atPath: path) { return path }
    let sentence =
      "no test vectors at \(path); set RETCON_CONFORMANCE to the folder that holds them"
    if environment["CI"] != nil {
      Issue.record("\(sentence)")
    } else {
      print("SKIPPED: \(sentence)")
    }
    return nil
  }
}
