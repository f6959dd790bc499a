import HostProtocol
import SessionWords
import ValueTree

/// Writes a test in JavaScript that runs steps with a reducer or a store.
package struct NodeTestWriter: Sendable {
  package enum Framework: String, CaseIterable, Sendable {
    case node, jest, vitest
  }

  package enum Kind: Sendable {
    case script, module, typeScript
  }

  /// Where the functions are that run the steps: a file beside the test, or the test itself.
  package enum Helper: Sendable {
    case loader(options: [String]), beside, inside
  }

  package private(set) var text: String
  private var state: Value
  private let rule: String?

  /// `file` is what the test imports, `name` the export. The loader of `--reducer` loads it, or the
  /// runner does. Jest requires the file unless the test is a module. With a rule, the test states no
  /// changes, because they are wrong. `label` is the last step's. A whole app says nothing of single
  /// steps.
  package init(
    _ framework: Framework, title: String, file: String, export name: String?, helper: Helper,
    as kind: Kind, from state: Value, rule: Condition?, label: String, whole: WholeScript? = nil,
    code: [(name: String, file: String)] = []
  ) throws {
    let path = Self.json(.string(file))
    let isRequired = framework == .jest && kind == .script
    let rules = try rule.map { try Self.javaScript($0) }
    (self.state, self.rule) = (state, rules)
    text = kind == .typeScript ? "// @ts-nocheck\n" : ""
    if framework == .jest, kind == .module {
      text += "// Jest runs ES modules with NODE_OPTIONS=--experimental-vm-modules.\n"
    }
    let equal =
      framework == .node
      ? "assert.deepEqual" : "(value, expected) => expect(value).toEqual(expected)"
    let export = name.map { Self.json(.string($0)) } ?? "undefined"
    let (call, given) = (whole == nil ? "replay" : "whole", whole.map { [$0.began] } ?? [])
    func options(_ members: [String]) -> String {
      members.isEmpty ? "" : ", { \(members.joined(separator: ", ")) }"
    }
    var start =
      whole == nil
      ? "replay(app, \(export), \(Self.json(state)), \(equal)"
      : "await whole(app, \(export)\(options(given))"
    var names = Self.names(in: rules) + (code.isEmpty ? [] : ["judging"])
    if framework == .vitest { text += "import { expect, test } from 'vitest';\n" }
    if case .loader(let members) = helper {
      let target = Self.json(.string(file + (name.map { "#\($0)" } ?? "")))
      let first = whole == nil ? ", \(Self.json(state))" : ""
      let place = whole.map { $0.place == "node" ? [] : ["place: \(Self.json(.string($0.place)))"] }
      start = "await \(call)(import.meta, \(target)\(first)"
      start += options(given + (place ?? []) + members)
      text += rules == nil && whole == nil ? "" : "import assert from 'node:assert/strict';\n"
      text += "import test from 'node:test';\nimport { \(call) } from './retcon-load.mjs';\n"
    } else {
      if whole == nil { names.insert("replay", at: 0) }
      if framework == .node {
        text += "import assert from 'node:assert/strict';\nimport test from 'node:test';\n"
      }
      if whole != nil {
        let (file, before) = (Self.wholeFile(for: framework), "before the app")
        text +=
          isRequired
          ? "const { whole } = require('./\(file)'); // \(before)\n"
          : "import { whole } from './\(file)'; // \(before)\n"
      }
      text +=
        isRequired
        ? "const app = { default: require(\(path)), ...require(\(path)) };\n"
        : "import * as app from \(path);\n"
    }
    let (needed, helpers) = (names.joined(separator: ", "), Self.fileName(for: framework))
    switch helper {
    case .inside: text += "\n" + Self.helper(withRules: rules != nil)
    case _ where names.isEmpty: break
    case .beside where isRequired:
      text += "const { \(needed) } = require('./\(helpers)');\n"
    default: text += "import { \(needed) } from './\(helpers)';\n"
    }
    var functions: [String] = []
    for (index, (name, file)) in code.enumerated() {
      let (own, path) = (name.split(separator: "#").last ?? "", Self.json(.string(file)))
      text +=
        isRequired
        ? "const { \(own): rule\(index) } = require(\(path));\n"
        : "import { \(own) as rule\(index) } from \(path);\n"
      functions.append("\(Self.json(.string(name))): rule\(index)")
    }
    text += "\n"
    if let rule {
      text +=
        "// Fails until the \(whole == nil ? "reducer" : "app") keeps the rule: "
        + Self.json(.string(rule.text)).dropFirst().dropLast() + "\n"
    }
    let asynchronous = start.hasPrefix("await") ? "async " : ""
    text += "test(\(Self.json(.string(title))), \(asynchronous)() => {\n  const run = \(start));\n"
    if !code.isEmpty {
      text += "  const code = judging(run, { \(functions.joined(separator: ", ")) });\n"
    }
    let failure = Self.json(.string("the rule does not hold: \(rule?.text ?? "")"))
    let check = framework == .node ? "assert.equal(" : "expect("
    end =
      (whole?.lines.joined() ?? "")
      + (rules.map {
        let values = code.isEmpty ? "" : ", code"
        let told = "{ state: told(run.state), label: \(Self.json(.string(label)))\(values) }"
        // Jest's `expect` takes one argument.
        let last =
          switch framework {
          case .node: ", true, \(failure))"
          case .vitest: ", \(failure)).toEqual(true)"
          case .jest: ").toEqual(true)"
          }
        return "  const root = \(told);\n  \(check)\($0)\(last);\n});\n"
      }
        ?? (whole.map { whole in
          let state = Self.json(whole.state)
          return framework == .node
            ? "  assert.deepEqual(run.plain, \(state));\n});\n"
            : "  expect(run.plain).toEqual(\(state));\n});\n"
        } ?? "});\n"))
    text += end
  }

  private let end: String

  // MARK: The functions

  /// Jest reads CommonJS, also where it compiles imports.
  package static func fileName(for framework: Framework) -> String {
    framework == .jest ? "retcon-steps.cjs" : "retcon-steps.mjs"
  }

  package static func wholeFile(for framework: Framework) -> String {
    framework == .jest ? "retcon-whole.cjs" : "retcon-whole.mjs"
  }

  /// What runs a whole app, for a framework.
  package static func wholeText(_ text: String, for framework: Framework) -> String {
    framework == .jest ? plain(text) + "\nmodule.exports = { whole };\n" : text
  }

  package static func helperFile(for framework: Framework) -> String {
    guard framework == .jest else { return helperText }
    return plain(helperText) + "\nmodule.exports = { \(exports.joined(separator: ", ")) };\n"
  }

  /// What runs the steps; the loader of `--reducer` has it, too.
  package static var runner: [UInt8] { PackageResources.runner_mjs }

  private static let helperText = String(
    decoding: PackageResources.retcon_steps_mjs, as: UTF8.self
  ).replacing(
    "import { runner } from './runner.mjs';\n",
    with: "\n" + plain(String(decoding: runner, as: UTF8.self)))

  private static func plain(_ text: String) -> String {
    text.replacing(#/(?m)^export /#, with: "")
  }

  private static func helper(withRules: Bool) -> String {
    let first = helperText.split(separator: "// A rule calls these", maxSplits: 1)[0]
    return plain(withRules ? helperText : String(first))
  }

  private static var exports: [String] {
    helperText.matches(of: /(?m)^export (?:const|function) (\w+)/).map { String($0.1) }
  }

  /// The functions that a rule calls.
  private static func names(in rule: String?) -> [String] {
    guard let rule else { return [] }
    let words = Set(rule.matches(of: /\w+/).map { String($0.0) })
    return exports.filter { $0 == "told" || words.contains($0) }
  }

  /// A bug is an error that must not come any more.
  package mutating func add(_ step: Step, after: Value?, isBug: Bool = false) throws {
    text = String(text.dropLast(end.count))
    defer { text += end }
    let action = Self.json(step.action)
    guard !isBug else { return text += "  run.returns(\(action));\n" }
    guard step.error == nil else {
      state = after ?? state
      return text += "  run.fails(\(action));\n"
    }
    guard let after else { throw Trouble.noState(after: step.number) }
    var line = "  run.step(\(action)"
    if rule == nil {
      var changes: [String] = []
      Self.changes("", state, after, &changes)
      line += changes.isEmpty ? ", {}" : ", { " + changes.joined(separator: ", ") + " }"
    }
    state = after
    text += line + ");\n"
  }

  /// The changed places: members of objects, elements of lists of equal length.
  private static func changes(
    _ place: String, _ old: Value?, _ new: Value?, _ found: inout [String]
  ) {
    switch (old, new) {
    case (let old?, let new?) where old.isExactlyEqual(to: new): break
    case (.object(let before)?, .object(let after)?)
    where (before["__proto__"] == nil) == (after["__proto__"] == nil):
      for key in after.keys + before.keys.filter({ after[$0] == nil }) {
        changes(place + Pointer(tokens: [key]).description, before[key], after[key], &found)
      }
    case (.array(let before)?, .array(let after)?) where before.count == after.count:
      for index in after.indices {
        changes("\(place)/\(index)", before[index], after[index], &found)
      }
    default: found.append("\(json(.string(place))): " + (new.map(json) ?? "undefined"))
    }
  }

  /// JSON, with dates, sets and maps as JavaScript makes them.
  static func literal(_ value: Value) -> String {
    switch value {
    case .array(let parts): return "[\(parts.map(literal).joined(separator: ","))]"
    case .object(let object):
      if object.count == 1, object[0].key.hasPrefix("retcon:") {
        let (kind, inner) = (object[0].key.dropFirst("retcon:".count), literal(object[0].value))
        let isNamed = kind == "Map" && inner.hasPrefix("{")
        return "new \(kind)(\(isNamed ? "Object.entries(\(inner))" : inner))"
      }
      let members = object.map { json(.string($0.key)) + ":" + literal($0.value) }
      return object["__proto__"] == nil
        ? "{\(members.joined(separator: ","))}" : json(value)
    default: return json(value)
    }
  }

  /// JavaScript takes `__proto__` in a literal for the prototype, and in parsed JSON for a key.
  static func json(_ value: Value) -> String {
    let text = value.text()
    guard text.contains(#""__proto__":"#) else { return SwiftText.seen(text) }
    return "JSON.parse(\(json(.string(text))))"
  }

  private static func javaScript(_ rule: Condition) throws -> String {
    // Also in a text, to be sure.
    if let digits = rule.text.firstMatch(of: /\d[\d.]{15,}/) {
      throw Trouble(
        "JavaScript cannot hold the number \(digits.0) exactly",
        next: "Write the rule with fewer digits, or check the session: retcon check")
    }
    return SwiftText.seen(rule.javaScript)
  }
}
