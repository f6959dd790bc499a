import TimeTravel

/// Scripts that are several modules in the repository, where node runs them as they are, and one
/// text in use.
enum JoinedScript {
  /// The loader for JavaScript, which users keep beside a test or a host.
  static let loader = joined([
    PackageResources.files_mjs, PackageResources.pointers_mjs, PackageResources.as_json_mjs,
    PackageResources.stepping_mjs, PackageResources.resolution_mjs,
    PackageResources.stand_ins_mjs,
    PackageResources.assets_mjs, PackageResources.environment_mjs, PackageResources.graph_mjs,
    PackageResources.compiling_mjs, PackageResources.closed_world_mjs,
    PackageResources.browser_mjs, PackageResources.running_mjs, PackageResources.rtk_query_mjs,
    PackageResources.with_vite_mjs, PackageResources.node_hooks_mjs,
    PackageResources.reducers_mjs, PackageResources.rules_mjs, PackageResources.callers_mjs,
    PackageResources.forms_mjs, PackageResources.values_mjs,
    PackageResources.tasks_mjs, PackageResources.outside_mjs, PackageResources.channels_mjs,
    PackageResources.axios_mjs,
    PackageResources.taped_mjs, PackageResources.virtual_mjs,
    PackageResources.instance_mjs, PackageResources.together_mjs, PackageResources.whole_mjs,
    PackageResources.rehearsal_mjs, PackageResources.scripted_mjs, NodeTestWriter.runner,
    PackageResources.retcon_load_mjs,
  ])

  /// The script that runs a test of a whole app in jest or vitest.
  static let tested = joined([
    PackageResources.forms_mjs, PackageResources.values_mjs, PackageResources.tasks_mjs,
    PackageResources.outside_mjs, PackageResources.channels_mjs, PackageResources.axios_mjs,
    PackageResources.taped_mjs, PackageResources.virtual_mjs, PackageResources.instance_mjs,
    PackageResources.scripted_mjs, PackageResources.tested_mjs,
  ])

  /// The recorder for JavaScript, one file for users.
  static let recorder = joined([
    PackageResources.forms_mjs, PackageResources.values_mjs, PackageResources.pointers_mjs,
    PackageResources.tasks_mjs, PackageResources.outside_mjs, PackageResources.channels_mjs,
    PackageResources.news_mjs, PackageResources.inputs_mjs, PackageResources.retcon_recorder_mjs,
  ])

  /// The shim of `attach`: the source of a function. A page evaluates it, so it exports nothing.
  static let shim: String = {
    let modules = joined([
      PackageResources.world_mjs, PackageResources.forms_mjs, PackageResources.pointers_mjs,
      PackageResources.words_mjs, PackageResources.plain_mjs,
      PackageResources.patches_mjs, PackageResources.hiding_mjs, PackageResources.stores_mjs,
      PackageResources.wire_mjs, PackageResources.steps_mjs, PackageResources.reviving_mjs,
      PackageResources.extension_mjs, PackageResources.questions_mjs,
      PackageResources.drives_mjs, PackageResources.shim_mjs,
    ])
    let body = modules.replacing("\nexport ", with: "\n")
    return "(() => {\n'use strict';\n\(body)return retconShim;\n})()\n"
  }()

  /// The recorder for LangGraph and for stores in Python.
  static let pythonRecorder = joinedPython([
    ("values", PackageResources.values_py), ("session", PackageResources.session_py),
    ("questions", PackageResources.questions_py), ("drawn", PackageResources.drawn_py),
    ("graph", PackageResources.graph_py), ("threads", PackageResources.threads_py),
    ("recording", PackageResources.recording_py), ("export", PackageResources.export_py),
  ])

  /// The host of graphs of LangGraph, which the host in Python loads.
  static let agent = joinedPython([
    ("world", PackageResources.world_py), ("moments", PackageResources.moments_py),
    ("agents", PackageResources.agents_py), ("replay", PackageResources.replay_py),
  ])

  /// As `joined`. Each module begins with its docstring; the first one's comes first.
  private static func joinedPython(_ modules: [(name: String, bytes: [UInt8])]) -> String {
    let own = modules.map { "from \($0.name) import " }
    var (first, imports, bodies) = ("", Set<Substring>(), [String]())
    for module in modules {
      let text = String(decoding: module.bytes, as: UTF8.self)
      let parts = text.split(separator: "\"\"\"\n", maxSplits: 1)
      if first.isEmpty { first = parts[0] + "\"\"\"\n" }
      var (rest, isExport) = ([Substring](), false)
      for line in parts[1].split(separator: "\n", omittingEmptySubsequences: false) {
        isExport = isExport || line.hasPrefix("__all__ = ")
        if isExport {
          isExport = !line.hasSuffix("]")
        } else if line.hasPrefix("import ") || line.hasPrefix("from ") {
          if !own.contains(where: line.hasPrefix) { imports.insert(line) }
        } else if !line.isEmpty || !rest.isEmpty {
          rest.append(line)
        }
      }
      while rest.last?.isEmpty == true { rest.removeLast() }
      bodies.append(rest.joined(separator: "\n"))
    }
    let head = first + "\n" + imports.sorted().joined(separator: "\n")
    return ([head] + bodies).joined(separator: "\n\n\n") + "\n"
  }

  /// The modules one after another, without their imports of each other. An import from node names
  /// one thing, so that equal lines are equal imports. The comment of the last module comes first.
  static func joined(_ modules: [[UInt8]]) -> String {
    var imports: [Substring] = []
    var comment: ArraySlice<Substring> = []
    var bodies: [String] = []
    for module in modules {
      let text = String(decoding: module, as: UTF8.self)
      var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
      comment = rest.prefix { $0.hasPrefix("//") }
      rest = rest.dropFirst(comment.count)
      while rest.first?.hasPrefix("import ") == true,
        let end = rest.firstIndex(where: { $0.hasSuffix(";") })
      {
        let line = rest[end]
        if !line.contains("from '."), !imports.contains(line) { imports.append(line) }
        rest = rest[(end + 1)...]
      }
      bodies.append(rest.filter { !$0.hasPrefix("export {") }.joined(separator: "\n"))
    }
    return ((comment + imports.sorted()).joined(separator: "\n") + "\n") + bodies.joined()
  }
}
