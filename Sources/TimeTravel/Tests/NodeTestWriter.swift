import HostProtocol
import SessionWords
import ValueTree

/// Writes a `node:test` that runs steps with a JavaScript reducer.
package struct NodeTestWriter: Sendable {
  package private(set) var text: String
  private var state: Value
  private let rule: String?

  /// `reducer` is its file, with the export's name after a `#`. With a rule, the test does not
  /// state intermediate changes, because they are wrong.
  package init(title: String, reducer: String, from state: Value, rule: Condition?) throws {
    let parts = reducer.split(separator: "#", maxSplits: 1).map(String.init)
    let found =
      parts.count > 1
      ? "app[\(Self.json(.string(parts[1])))]"
      : "app.default ?? Object.entries(app).find(([name]) => /reducer$/i.test(name))?.[1]"
    let file = parts[0].hasPrefix("/") || parts[0].hasPrefix(".") ? parts[0] : "./" + parts[0]
    self.state = state
    self.rule = try rule.map { try Self.javaScript($0) }
    text = """
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import * as app from \(Self.json(.string(file)));

      const found = \(found);
      // A reducer, a slice, or an object of reducers.
      const reducer =
        typeof found === 'function' ? found
        : found.reducer ?? ((state = {}, action) =>
          Object.fromEntries(Object.keys(found).map((key) => [key, found[key](state[key], action)])));
      const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

      /** Reduces an action, and expects these places of the state to change and no others. */
      function step(state, action, changes) {
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
        assert.deepEqual(plain(next), expected.root);
        return next;
      }


      """
    if let rule {
      text +=
        "// Fails until the reducer keeps the rule: "
        + Self.json(.string(rule.text)).dropFirst().dropLast() + "\n"
    }
    text += "test(\(Self.json(.string(title))), () => {\n  let state = \(Self.json(state));\n"
    self.end = self.rule.map { "  assert.ok(\($0));\n});\n" } ?? "});\n"
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
