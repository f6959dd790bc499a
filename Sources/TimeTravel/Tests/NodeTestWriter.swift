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
    case loader(options: String), beside, inside
  }

  package private(set) var text: String
  private var state: Value
  private let rule: String?

  /// `file` is what the test imports, `name` the export. The loader of `--reducer` loads it, or the
  /// runner does. Jest requires the file unless the test is a module. With a rule, the test states no
  /// changes, because they are wrong. `label` is the last step's.
  package init(
    _ framework: Framework, title: String, file: String, export name: String?, helper: Helper,
    as kind: Kind, from state: Value, rule: Condition?, label: String
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
    var start = "replay(app, \(export), \(Self.json(state)), \(equal)"
    var names = Self.names(in: rules)
    if framework == .vitest { text += "import { expect, test } from 'vitest';\n" }
    if case .loader(let options) = helper {
      let target = Self.json(.string(file + (name.map { "#\($0)" } ?? "")))
      start = "await replay(import.meta, \(target), \(Self.json(state))\(options)"
      text += rules == nil ? "" : "import assert from 'node:assert/strict';\n"
      text += "import test from 'node:test';\nimport { replay } from './retcon-load.mjs';\n"
    } else {
      names.insert("replay", at: 0)
      if framework == .node {
        text += "import assert from 'node:assert/strict';\nimport test from 'node:test';\n"
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
    text += "\n"
    if let rule {
      text +=
        "// Fails until the reducer keeps the rule: "
        + Self.json(.string(rule.text)).dropFirst().dropLast() + "\n"
    }
    let asynchronous = start.hasPrefix("await") ? "async " : ""
    text += "test(\(Self.json(.string(title))), \(asynchronous)() => {\n  const run = \(start));\n"
    let failure = Self.json(.string("the rule does not hold: \(rule?.text ?? "")"))
    let check = framework == .node ? "assert.equal(" : "expect("
    end =
      rules.map {
        let told = "{ state: told(run.state), label: \(Self.json(.string(label))) }"
        // Jest's `expect` takes one argument.
        let last =
          switch framework {
          case .node: ", true, \(failure))"
          case .vitest: ", \(failure)).toEqual(true)"
          case .jest: ").toEqual(true)"
          }
        return "  const root = \(told);\n  \(check)\($0)\(last);\n});\n"
      } ?? "});\n"
    text += end
  }

  private let end: String

  // MARK: The functions

  /// Jest reads CommonJS, also where it compiles imports.
  package static func fileName(for framework: Framework) -> String {
    framework == .jest ? "retcon-steps.cjs" : "retcon-steps.mjs"
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
