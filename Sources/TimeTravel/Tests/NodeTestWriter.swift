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
  /// Whether the loader beside the test runs the steps.
  private let isReplayed: Bool

  /// `file` is what the test imports, `name` the export. With `loading`, the loader of `--reducer`
  /// beside the test runs the steps, and this is its last argument. Jest requires the file unless the
  /// test is a module. With a rule, the test does not state intermediate changes, because they are
  /// wrong. `label` is the last step's.
  package init(
    _ framework: Framework, title: String, file: String, export name: String?,
    loading: String?, as kind: Kind, from state: Value, rule: Condition?, label: String
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
    isReplayed = loading != nil
    text = (kind == .typeScript ? "// @ts-nocheck\n" : "")
    if isReplayed {
      text += rule == nil ? "" : "import assert from 'node:assert/strict';\n"
      text += "import test from 'node:test';\nimport { replay } from './retcon-load.mjs';\n\n"
      text += rule == nil ? "" : checks + "\n"
    } else {
      text += imports
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
    }
    if let rule {
      text += Self.ruleFunctions
      text +=
        "// Fails until the reducer keeps the rule: "
        + Self.json(.string(rule.text)).dropFirst().dropLast() + "\n"
    }
    text += "test(\(Self.json(.string(title))), "
    if let loading {
      let target = Self.json(.string(file + (name.map { "#\($0)" } ?? "")))
      text += "async () => {\n  const app = await replay(import.meta, "
      text += "\(target), \(Self.json(state))\(loading));\n"
    } else {
      text += "() => {\n  let state = \(Self.json(state));\n"
    }
    let failure = Self.json(.string("the rule does not hold: \(rule?.text ?? "")"))
    self.end =
      self.rule.map {
        """
          const root = { state: told(\(loading == nil ? "" : "app.")state), label: \(Self.json(.string(label))) };
          equal(\($0), true, \(failure));
        });

        """
      }
      ?? "});\n"
    text += end
  }

  private let end: String
  private var expectsErrors = false

  /// What a host calls an error: the reducer throws, or returns no state.
  private static let fails = """
      const fails = (state, action) => {
        let next;
        try { next = reducer(state, action); } catch { return; }
        equal(typeof next?.then === 'function' ? undefined : next, undefined);
      };

    """

  /// A bug is an error that must not come any more.
  package mutating func add(_ step: Step, after: Value?, isBug: Bool = false) throws {
    text = String(text.dropLast(end.count))
    defer { text += end }
    guard !isBug else {
      text += "  // Fails until the reducer returns a state.\n"
      let action = Self.json(step.action)
      return text +=
        isReplayed
        ? "  app.returns(\(action));\n"
        : "  equal(reducer(state, \(action)) === undefined, false);\n"
    }
    guard step.error == nil else {
      if !exchange(&expectsErrors, with: true), !isReplayed { text += Self.fails }
      state = after ?? state
      let call = isReplayed ? "  app.fails(" : "  fails(state, "
      return text += call + Self.json(step.action) + ");\n"
    }
    guard let after else { throw Trouble.noState(after: step.number) }
    var line = (isReplayed ? "  app.step(" : "  state = step(state, ") + Self.json(step.action)
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

  /// A rule calls these functions. `told` reads the state as the host for node tells it.
  private static let ruleFunctions = #"""
    const told = (state) => JSON.parse(JSON.stringify(state ?? null, (_, value) =>
      value instanceof Map ? ([...value.keys()].every((key) => typeof key === 'string') ? Object.fromEntries(value) : [...value])
      : value instanceof Set || ArrayBuffer.isView(value) ? Array.from(value)
      : typeof value === 'bigint' ? `${value}n`
      : typeof value === 'function' ? `[Function ${value.name}]`
      : typeof value === 'number' && !Number.isFinite(value) ? String(value) : value));

    /** Conditions are paths as in JSONPath: from each value to its children, its members, its elements. */
    const isHolder = (value) => value !== null && typeof value === 'object';
    const children = (value) => isHolder(value) ? Object.values(value) : [];
    const inside = (value) => [value, ...children(value).flatMap(inside)];
    const find = (value, ...segments) => segments.reduce((found, picks) =>
      (picks[0] === inside ? found.flatMap(inside) : found).flatMap((value) =>
        picks.filter((pick) => pick !== inside).flatMap((pick) => pick(value))), [value]);
    const key = (name) => (value) =>
      isHolder(value) && !Array.isArray(value) && Object.hasOwn(value, name) ? [value[name]] : [];
    const item = (index) => (value) =>
      Array.isArray(value) && index < value.length && -index <= value.length ? [value.at(index)] : [];
    const where = (holds) => (value) => children(value).filter(holds);
    const slice = (start, end, step) => (value) => {
      if (!Array.isArray(value) || step === 0) return [];
      const isUp = step > 0;
      const [low, high] = isUp ? [0, value.length] : [-1, value.length - 1];
      const reach = (place) => Math.min(Math.max(place < 0 ? value.length + place : place, low), high);
      const last = end === undefined ? (isUp ? high : low) : reach(end);
      const found = [];
      for (let place = start === undefined ? (isUp ? low : high) : reach(start);
        isUp ? place < last : place > last; place += step) found.push(value[place]);
      return found;
    };
    const length = (value) => typeof value === 'string' ? [...value].length
      : isHolder(value) ? Object.keys(value).length : undefined;
    const only = (found) => found.length === 1 ? found[0] : undefined;

    function isMatch(text, pattern, isWhole) {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      let isInClass = false;
      const source = pattern.replace(/\\.|[.[\]]/gsu, (part) => {
        if (part === '.') return isInClass ? '\\.' : '[^\\n\\r]';
        if (part.length === 1) { isInClass = part === '['; return part; }
        return /^\\[pPnrt^$\\.*+?()[\]{}|/]/.test(part) || isInClass && part === '\\-' ? part : part.slice(1);
      });
      try { return new RegExp(isWhole ? `^(?:${source})$` : source, 'u').test(text); } catch { return false; }
    }

    const isTrue = (value) => ![undefined, null, false].includes(value);

    /** Below, above or 0 for two numbers, two texts (by code points) or equal values; NaN for others. */
    function order(left, right) {
      if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
      if (typeof left === 'string' && typeof right === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right));
      return isSame(left, right) ? 0 : NaN;
    }

    function isSame(left, right) {
      if (![left, right].every((value) => value !== null && typeof value === 'object')) return left === right;
      const keys = Object.keys(left);
      return Array.isArray(left) === Array.isArray(right) && keys.length === Object.keys(right).length
        && keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
    }


    """#
}
