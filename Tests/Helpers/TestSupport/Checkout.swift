import Platform

/// The folder of this project, for tests that read its pages and sources.
package enum Checkout {
  /// Its path, without symbolic links.
  package static let root: String = {
    let here = realpath(#filePath, nil)
    defer { free(here) }
    let path = here.map { String(cString: $0) } ?? #filePath
    return "/" + path.split(separator: "/").dropLast(4).joined(separator: "/")
  }()

  /// The path of a layer below the root, such as `Sources/Store/StoreCore`.
  package static func folder(ofLayer name: String) -> String {
    let house = namesInFolder("\(root)/Sources").first {
      namesInFolder("\(root)/Sources/\($0)").contains(name)
    }
    return "Sources/\(house ?? "")/\(name)"
  }
}
