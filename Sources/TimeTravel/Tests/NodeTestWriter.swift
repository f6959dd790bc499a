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

  package private(set) var text: String
  private var state: Value
  private let rule: String?

  /// `file` is what the test imports, `name` the export. A loaded file goes through the loader of `--reducer`
  /// beside the test. Jest requires the file unless the test is a module. With a rule, the test does not state
  /// intermediate changes, because they are wrong.
  package init(
    _ framework: Framework, title: String, file: String, export name: String?, isLoaded: Bool,
    as kind: Kind, from state: Value, rule: Condition?
  ) throws {
    let path = Self.json(.string(file))
    let found =
      name.map { "app[\(Self.json(.string($0)))]" }
        ?? """
        pick(Object.entries(app))
        """
    let imports =
      switch framework {
      case .node:
        """
        import assert from 'node:assert/strict';
        import test from 'node:test';

        """
      case .jest where kind == .module:
        "// Jest runs ES modules with NODE_OPTIONS=--experimental-vm-modules.\n"
      case .jest where kind == .typeScript: ""
      case .jest: "const app = { default: require(\(path)), ...require(\(path)) };\n"
      case .vitest: "import { expect, test } from 'vitest';\n"
      }
    let checks =
      framework == .node
      ? "const equal = assert.deepEqual;\n"
      : "const equal = (value, expected) => expect(value).toEqual(expected);\n"
    let isRequired = framework == .jest && kind == .script
    let picks =
      name != nil
      ? ""
      : """
      /** A default export, or else the only store, reducer or slice; in CommonJS all is the default export, too. */
      function pick(exports) {
        const isCommon = exports.every(([name, value]) => /^(default|module.exports)$/.test(name) || app.default?.[name] === value);
        const named = exports.filter(([name]) => /reducer$/i.test(name)).map(([, value]) => value);
        const stores = exports.map(([, value]) => value).filter((value) => value?.getState ?? value?.reducer);
        return [!(isCommon && exports.length > 1) && app.default, ...stores, named.length === 1 && named[0], app.default, ...named].find(Boolean);
      }

      """
    let import_ = isRequired ? picks : "import * as app from \(path);\n\n" + picks
    self.state = state
    self.rule = try rule.map { try Self.javaScript($0) }
    text = (kind == .typeScript ? "// @ts-nocheck\n" : "") + imports
    if isLoaded {
      let target = Self.json(.string("/" + file + (name.map { "#\($0)" } ?? "")))
      text += """
        import path from 'node:path';
        import { fileURLToPath } from 'node:url';
        import { opened } from './retcon-load.mjs';

        const { reducer } = await opened(path.dirname(fileURLToPath(import.meta.url)) + \(target));
        const store = undefined;

        """
    } else {
      text += """
        \(import_)
        const found = \(found);
        const store = found.getState && found.dispatch && found;
        // A store, a reducer, a slice, or an object of reducers.
        const reducer = store
          ? (state, action) => { store.dispatch(action); return store.getState(); }
          : typeof found === 'function' ? found
          : found.reducer ?? ((state = {}, action) =>
            Object.fromEntries(Object.keys(found).map((key) => [key, found[key](state[key], action)])));

        """
    }
    text += checks
    text += """
      const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
      let isFirst = true;

      /** Reduces an action, and expects these places of the state to change and no others. */
      function step(state, action, changes) {
        if (store && isFirst) equal(plain(store.getState()), plain(state));
        isFirst = false;
        const next = reducer(state, action);
        if (changes === undefined) return next;
        let expected = { root: plain(state) };
        for (const [place, value] of Object.entries(changes)) {
          const keys = place.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
          const last = keys.pop();
          keys[0] = 'root';
          if (place === '') expected.root = value;
          else {
            const holder = keys.reduce((part, key) => part[key], expected);
            if (value === undefined) delete holder[last];
            else holder[last] = value;
          }
        }
        equal(plain(next), expected.root);
        return next;
      }


      """
    if let rule {
      text +=
        "// Fails until the reducer keeps the rule: "
        + Self.json(.string(rule.text)).dropFirst().dropLast() + "\n"
    }
    text += "test(\(Self.json(.string(title))), () => {\n  let state = \(Self.json(state));\n"
    self.end = self.rule.map { "  equal(\($0), true);\n});\n" } ?? "});\n"
    text += end
  }

  private let end: String

  package mutating func add(_ step: Step, after: Value) throws {
    guard !step.isSkipped else { return }
    var line = "  state = step(state, \(Self.json(step.action))"
    if rule == nil {
      var changes: [String] = []
      Self.changes("", state, after, &changes)
      line += changes.isEmpty ? ", {}" : ", { " + changes.joined(separator: ", ") + " }"
    }
    state = after
    text = String(text.dropLast(end.count)) + line + ");\n" + end
  }

  /// The changed places: members of objects, elements of lists of equal length.
  private static func changes(
    _ place: String, _ old: Value, _ new: Value, _ found: inout [String]
  ) {
    func note(_ value: Value?) {
      found.append("\(json(.string(place))): " + (value.map(json) ?? "undefined"))
    }
    switch (old, new) {
    case _ where old.isExactlyEqual(to: new): break
    case (.object(let before), .object(let after)):
      for (key, value) in after {
        let inner = place + Pointer(tokens: [key]).description
        if let known = before[key] {
          changes(inner, known, value, &found)
        } else {
          found.append("\(json(.string(inner))): \(json(value))")
        }
      }
      for (key, _) in before where after[key] == nil {
        found.append("\(json(.string(place + Pointer(tokens: [key]).description))): undefined")
      }
    case (.array(let before), .array(let after)) where before.count == after.count:
      for index in after.indices {
        changes("\(place)/\(index)", before[index], after[index], &found)
      }
    default: note(new)
    }
  }

  private static func json(_ value: Value) -> String { SwiftText.seen(value.text()) }

  /// Comparisons of paths mean the same in JavaScript.
  private static func javaScript(_ rule: Condition) throws -> String {
    let text = rule.text
    let plain =
      /(\s|state((\.[A-Za-z_$][\w$]*)|\[(\d+|'[^'\\]*'|"[^"\\]*")\])*|&&|\|\||!=|==|<=|>=|[<>!()]|-?\d+(\.\d+)?|'[^'\\]*'|"[^"\\]*"|true|false|null)*/
    guard text.wholeMatch(of: plain) != nil else {
      throw Trouble(
        "the rule is more than comparisons of the state, and cannot be written in JavaScript",
        next: "Write one such as state.total >= 0, or check the session: retcon check")
    }
    return text.replacing("==", with: "===").replacing("!=", with: "!==")

  }
}
