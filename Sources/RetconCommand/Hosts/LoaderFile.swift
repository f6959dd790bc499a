/// The loader for JavaScript as one file, which users keep beside a test or a host. In the repository
/// it is several modules, and node runs them as they are.
enum LoaderFile {
  static let text = joined(
    [
      PackageResources.files_mjs, PackageResources.resolution_mjs,
      PackageResources.stand_ins_mjs, PackageResources.assets_mjs,
      PackageResources.environment_mjs, PackageResources.graph_mjs,
      PackageResources.compiling_mjs, PackageResources.closed_world_mjs,
      PackageResources.browser_mjs, PackageResources.running_mjs, PackageResources.rtk_query_mjs,
      PackageResources.with_vite_mjs, PackageResources.node_hooks_mjs,
      PackageResources.reducers_mjs, PackageResources.retcon_load_mjs,
    ].map { String(decoding: $0, as: UTF8.self) })

  /// The modules one after another, without their imports of each other. An import from node names
  /// one thing, so that equal lines are equal imports. The comment of the last module comes first.
  static func joined(_ modules: [String]) -> String {
    var imports: [Substring] = []
    var comment: ArraySlice<Substring> = []
    var bodies: [String] = []
    for module in modules {
      var rest = module.split(separator: "\n", omittingEmptySubsequences: false)[...]
      comment = rest.prefix { $0.hasPrefix("//") }
      rest = rest.dropFirst(comment.count)
      while rest.first?.hasPrefix("import ") == true,
        let end = rest.firstIndex(where: { $0.hasSuffix(";") })
      {
        let line = rest[end]
        if !line.contains("from './"), !imports.contains(line) { imports.append(line) }
        rest = rest[(end + 1)...]
      }
      bodies.append(rest.filter { !$0.hasPrefix("export {") }.joined(separator: "\n"))
    }
    return ((comment + imports.sorted()).joined(separator: "\n") + "\n") + bodies.joined()
  }
}
