/// The hosts that come with the program, for reducers in other languages.
enum ShippedHost: String, CaseIterable, Sendable {
  /// For reducers of Redux, in JavaScript.
  case node
  /// For reducers in Python, and the template for other languages.
  case python

  var fileName: String {
    switch self {
    case .node: "retcon-host.mjs"
    case .python: "retcon_host.py"
    }
  }

  var text: String {
    switch self {
    case .node: String(decoding: PackageResources.retcon_host_mjs, as: UTF8.self)
    case .python: String(decoding: PackageResources.retcon_host_py, as: UTF8.self)
    }
  }
}
