import SessionWords
import ValueTree

package struct SidecarContents: Sendable, Hashable {
  package var marks: [Mark] = []
  package var branches: [SavedBranch] = []
  package var view: ValueObject = [:]
  var unknown: ValueObject = [:]

  package init() {}
}

extension SidecarContents {
  static let version = "1.0"
  private static let keys: Set<String> = [
    "retcon-sidecar", "session", "begins", "marks", "branches", "view",
  ]
  private static let mostEntries = 10_000

  /// Parses a sidecar, which is as untrusted as the session: what does not fit is an error, and
  /// strings are never commands or places to write to.
  init(_ value: Value, session: SessionIdentity) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: "sidecar")
    guard try fields.string("retcon-sidecar").prefix(while: { $0 != "." }) == "1" else {
      throw fields.wrong("retcon-sidecar", "a version 1")
    }
    guard try fields.string("session") == session.number else {
      throw fields.wrong("session", "the session that it lies beside")
    }
    if let beginning = Self.beginning(in: value), !session.begins(beginning) {
      throw fields.wrong("begins", "the session that it lies beside")
    }
    marks = try fields.list("marks")
    branches = try fields.list("branches")
    guard marks.count <= Self.mostEntries, branches.count <= Self.mostEntries else {
      throw ValueFieldError(
        place: "sidecar", expected: "at most \(Self.mostEntries) marks and branches")
    }
    if case .object(let view)? = fields.optional("view") { self.view = view }
    unknown = fields.others(than: Self.keys)
  }

  static func beginning(in value: Value) -> SessionIdentity.Beginning? {
    guard let begins = value["begins"], let bytes = begins["bytes"].flatMap(ValueFields.number),
      case .string(let hash)? = begins["hash"]
    else { return nil }
    return SessionIdentity.Beginning(
      bytes: bytes, hash: hash, end: begins["end"].flatMap(ValueFields.number),
      lastHash: begins["lastHash"]?.string)
  }

  func value(session: String, beginning: SessionIdentity.Beginning?) -> Value {
    let begins = beginning.map {
      Value.line([
        "bytes": $0.bytes, "hash": $0.hash, "end": $0.end, "lastHash": $0.lastHash,
      ])
    }
    let object: LineObject = [
      "retcon-sidecar": Self.version, "session": session, "begins": begins,
      "marks": Value.array(ValueArray(marks.map(\.value))),
      "branches": Value.array(ValueArray(branches.map(\.value))), "view": Value.object(view),
    ]
    return (object + LineObject(unknown)).value
  }
}

extension Mark: LineCoded {
  package var object: LineObject {
    ["branch": branch, "step": step, "name": name, "note": note]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      branch: try fields.string("branch"), step: try fields.number("step"),
      name: try fields.optionalString("name"), note: try fields.optionalString("note"))
  }
}

extension SavedBranch: LineCoded {
  package var object: LineObject { ["name": name, "note": note, "script": script] }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    self.init(
      name: try fields.string("name"), script: try fields.part("script"),
      note: try fields.optionalString("note"))
  }
}

package struct Mark: Sendable, Hashable {
  package var branch: String
  package var step: Int
  package var name: String?
  package var note: String?

  package init(branch: String = "main", step: Int, name: String? = nil, note: String? = nil) {
    self.branch = branch
    self.step = step
    self.name = name
    self.note = note
  }
}

/// A saved fork: its place and its edits. Its steps are computed on demand.
package struct SavedBranch: Sendable, Hashable {
  package var name: String
  package var script: Script
  package var note: String?

  package init(name: String, script: Script, note: String? = nil) {
    self.name = name
    self.script = script
    self.note = note
  }

  /// Why positions cannot be written with a name.
  package static func problem(withName name: String) -> String? {
    if name.allSatisfy({ $0 == " " }) { return "the fork needs a name" }
    let isWritable = name.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      default: $0 != "/" && $0 != "@"
      }
    }
    return isWritable
      ? nil
      : "a name cannot hold /, @, line breaks or control codes: positions are written "
        + "file@branch/step"
  }

  /// `fork 3`; a custom name gets a number.
  package static func freeName(like name: String, besides taken: Set<String>) -> String {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    let isNumbered = words.count > 1 && Int(words[words.count - 1]) != nil
    let stem = isNumbered ? words.dropLast().joined(separator: " ") : name
    let numbers = ((isNumbered ? 1 : 2)...taken.count + 2).lazy.map { "\(stem) \($0)" }
    return numbers.first { !taken.contains($0) } ?? "\(name) \(taken.count + 3)"
  }
}
