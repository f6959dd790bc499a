import HostProtocol
import Platform
import SessionFile
import SessionWords
import ValueTree

/// The file of a reducer in JavaScript.
package struct ReducerScript: Sendable {
  package var file: String
  package var export: String?
  /// The loader that a test of `node` needs beside it.
  package var loader: (name: String, text: String)?
  /// What runs a whole app in a test for another runner.
  package var tested: String
  /// What the loader is told beside the file, as on the command line.
  package var options: [(name: String, value: String)]

  package init(
    file: String, export: String?, loader: (name: String, text: String)?,
    tested: String = "", options: [(name: String, value: String)] = []
  ) {
    (self.file, self.export, self.loader, self.options) = (file, export, loader, options)
    self.tested = tested
  }

  /// The options as members in JavaScript, in a test in a folder; a setup is a file.
  fileprivate func loading(from folder: String) -> [String] {
    options.map { name, value in
      let text = name == "setup" ? Self.path(of: value, from: folder) : value
      return "\(name): " + NodeTestWriter.json(.string(text))
    }
  }

  /// The runner tells the kind of a test by its ending and its package, or by the file that it imports.
  fileprivate func kind(of test: String?, in folder: String) -> NodeTestWriter.Kind {
    func ends(_ path: String, _ endings: String...) -> Bool {
      endings.contains { path.hasSuffix($0) }
    }
    let test = test ?? file
    if ends(test, ".ts", ".tsx", ".mts", ".cts") { return .typeScript }
    if ends(test, ".cjs") { return .script }
    if ends(test, ".mjs") || ends(file, ".mjs", ".mts") { return .module }
    var above = absolutePath(folder)
    while above != "/", access("\(above)/package.json", F_OK) != 0 {
      above = folderAbove(above)
    }
    let bytes = try? PartFile(path: "\(above)/package.json").bytes(at: 0, count: 1 << 20)
    let package = bytes.flatMap { try? Value(parsing: $0) }
    return package?["type"] == "module" ? .module : .script
  }

  /// The path of a file as an import in a folder names it.
  package static func path(of file: String, from folder: String) -> String {
    func parts(_ path: String) -> [Substring] {
      var parts: [Substring] = []
      for part in absolutePath(path).split(separator: "/") where part != "." {
        if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
      }
      return parts
    }
    let (file, folder) = (parts(file), parts(folder))
    let shared = zip(file, folder).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: folder.count - shared)
    return ((up.isEmpty ? ["."] : up) + file.dropFirst(shared)).joined(separator: "/")
  }
}

/// What a test has to fail for until it is mended.
package enum TestedBug: Sendable, Hashable {
  case breaks(Condition)
  case crashes
  case differs
}

extension OpenSession {
  /// What a test of these steps does, and their source.
  package func testParts(
    of steps: ClosedRange<Int>, on branch: BranchID
  ) async throws -> (plan: TestPlan, source: StepSource) {
    let plan = try testPlan(of: steps, on: branch)
    let source = try await source(of: steps, on: branch, unfinished: plan.unfinished?.action)
    guard source.steps.count == steps.count else {
      throw Trouble(
        "the reducer gets no further than step \(source.steps.last?.number ?? 0)",
        next: "Name a range that ends there")
    }
    return (plan, source)
  }

  package func checkActions(in steps: ClosedRange<Int>, of branch: BranchID) throws {
    for step in steps where try self.step(at: Position(branch: branch, step: step)).step.set != nil
    {
      throw Trouble(
        "step \(step) sets a part of the state, which no action does",
        next: summary.isForeign || summary.isOfJavaScript
          ? "Name steps before or behind it"
          : "Name steps before or behind it, or use retcon test --as replay")
    }
  }

  /// The steps up to the first that breaks a rule, and the rule in the words of the states.
  package func steps(
    breaking rule: Condition, in steps: ClosedRange<Int>, on branch: BranchID
  ) async throws -> (steps: ClosedRange<Int>, rule: Condition) {
    let asked =
      rule.paths.map { $0.tokens.first ?? "$" }
      + rule.neighbours.map { $0.direction == .before ? "earlier steps" : "later steps" }
    if let unknown = asked.first(where: { !["state", "label", Condition.code].contains($0) }) {
      throw Trouble(
        "the rule asks about \(unknown), and a test can check only state and label",
        next: "Write the rule with these, or ask the session itself: retcon check")
    }
    if let name = rule.code.first, script == nil {
      throw Trouble(
        "\(name) is in JavaScript, and so is a test that calls it", next: "Add --reducer FILE.js")
    }
    let rule = try await resolved(StepQuestion(rule), of: branch).condition
    var first: Int?
    try await find(StepQuestion("!(\(rule.text))"), in: steps, of: branch) { step in
      first = step
      return false
    }
    guard let first else {
      throw Trouble(
        "the rule holds at all of these steps: there is no bug to write down",
        next: "Leave out the rule for a test of what is right")
    }
    return (steps.lowerBound...first, rule)
  }

  /// Writes steps of a branch as a test in Swift, or in JavaScript with the loader that it needs. With
  /// a bug, the test fails as long as the bug is there. Returns the other files that it wrote.
  package func writeTest(
    of steps: ClosedRange<Int>, on branch: BranchID, to path: String, showing bug: TestedBug?
  ) async throws -> [String] {
    var (steps, rule) = (steps, Condition?.none)
    switch bug {
    case .breaks(let broken)?:
      let found = try await self.steps(breaking: broken, in: steps, on: branch)
      (steps, rule) = (found.steps, found.rule)
    case .differs?:
      throw Trouble(
        "today's reducer writes the test, so no test can show that it differs",
        next: ":export the fork; retcon verify shows the difference")
    case .crashes?, nil: break
    }
    try checkActions(in: steps, of: branch)
    var file = try NewFile(path: path)
    var helpers: [String] = []
    if summary.isOfJavaScript {
      let text = try await nodeTest(
        of: steps, on: branch, for: .node, to: path, rule: rule, isCrash: bug == .crashes
      ).text
      try file.append(Array(text.utf8))
      helpers = try addHelpers(besideTestAt: path, for: .node, rule: rule)
    } else {
      let (plan, source) = try await testParts(of: steps, on: branch)
      if bug == .crashes, plan.unfinished == nil { throw Trouble.noCrash(at: steps.upperBound) }
      var writer = SwiftTestWriter()
      writer.typeName = SwiftTestWriter.typeName(of: path)
      writer.rule = rule
      try file.append(Array(try writer.text(plan, source).utf8))
    }
    try file.commit()
    return helpers
  }

  /// Writes the files that a test in JavaScript needs, unless they are there; returns those paths.
  package func addHelpers(
    besideTestAt path: String, for framework: NodeTestWriter.Framework, rule: Condition?,
    isWhole: Bool = false
  ) throws -> [String] {
    let loader = framework == .node ? script?.loader : nil
    var helpers = [loader].compactMap(\.self)
    if isWhole, loader == nil, let text = script?.tested {
      helpers.append(
        (
          NodeTestWriter.wholeFile(for: framework),
          NodeTestWriter.wholeText(text, for: framework)
        ))
    }
    if loader == nil && !isWhole || rule != nil {
      helpers.append(
        (NodeTestWriter.fileName(for: framework), NodeTestWriter.helperFile(for: framework)))
    }
    return try helpers.compactMap { name, text in
      let place = "\(folderAbove(path))/\(name)"
      guard access(place, F_OK) != 0 else { return nil }
      var file = try NewFile(path: place)
      try file.append(Array(text.utf8))
      try file.commit()
      return place
    }
  }

  /// The session in the title of a test; the steps of a fork have numbers of their own.
  func title(of branch: BranchID) -> String {
    branch == .main ? summary.name : "“\(name(of: branch))” of \(summary.name)"
  }

  package func nodeTest(
    of steps: ClosedRange<Int>, on branch: BranchID, for framework: NodeTestWriter.Framework,
    to path: String?, rule: Condition? = nil, isCrash: Bool = false, isWhole: Bool = false
  ) async throws -> (text: String, count: Int) {
    guard let script else {
      throw Trouble(
        "a test for \(framework) needs the reducer's file",
        next: "Add --reducer FILE.js")
    }
    let folder = path.map(folderAbove) ?? "."
    guard let start = try await state(at: Position(branch: branch, step: steps.lowerBound - 1))
    else { throw Trouble.noState(after: steps.lowerBound - 1) }
    let ran = try steps.map { try step(at: Position(branch: branch, step: $0)).step }
      .filter { !$0.isSkipped && !$0.isNotRun }
    let last = ran.last?.number ?? steps.upperBound
    if isCrash, ran.last?.error == nil { throw Trouble.noCrash(at: last) }
    let code = try (rule?.code ?? []).map { name in
      let file = String(name.prefix { $0 != "#" })
      guard !isWhole, framework != .node || file.hasSuffix("js") else {
        throw Trouble(
          "such a test cannot call \(name)",
          next: isWhole ? "Leave out --whole" : "Write --as vitest, or the rule in JavaScript")
      }
      return (name: name, file: ReducerScript.path(of: file, from: folder))
    }
    let whole =
      isWhole
      ? try await wholeScript(
        upTo: last, on: branch, rule, seesActions: framework == .node && script.loader != nil) : nil
    var writer = try NodeTestWriter(
      framework, title: "\(title(of: branch)), \(named(steps.lowerBound...last))",
      file: ReducerScript.path(of: script.file, from: folder), export: script.export,
      helper: path == nil
        ? .inside
        : framework == .node && script.loader != nil
          ? .loader(options: script.loading(from: folder)) : .beside,
      as: script.kind(of: path, in: folder), from: start, rule: rule,
      label: whole?.label ?? ran.last?.label ?? "", whole: whole, code: code)
    for step in ran where !isWhole {
      try writer.add(
        step, after: await state(at: Position(branch: branch, step: step.number)),
        isBug: isCrash && step.number == last)
    }
    return (writer.text, ran.count)
  }
}

extension Trouble {
  fileprivate static func noCrash(at step: Int) -> Trouble {
    Trouble(
      "step \(step) does not crash here, so no test can show it",
      next: ":test 1-\(step) FILE writes what these steps do")
  }
}

extension SwiftTestWriter {
  /// `wishes-2.retcon` → `Wishes2`
  package static func typeName(of file: String) -> String {
    let stem = (file.split(separator: "/").last ?? "").prefix { $0 != "." }
    let words = stem.split { !($0.isLetter || $0.isNumber) || !$0.isASCII }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true ? name : "Session" + name
  }
}
