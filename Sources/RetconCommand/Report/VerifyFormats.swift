import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// One thing that verify has to say, at a place in the source if that is known.
struct VerifyFinding {
  var kind: String
  var text: String
  var file: String
  var line: Int?
  /// Where to look: `cart.retcon@12`.
  var position: String
  var isError = true

  var sentence: String {
    // A file's name may look like an option.
    let place = ShellWord.quoted(position.hasPrefix("-") ? "./\(position)" : position)
    return "\(text)\(text.last.map { ".?!".contains($0) } == true ? "" : ".") Look: retcon \(place)"
  }

  static func all(in verdict: SessionVerdict, of file: String) -> [VerifyFinding] {
    switch verdict {
    case .trouble(let words):
      return [VerifyFinding(kind: "not run", text: words, file: file, position: file)]
    case .report(let report, let gaps, _):
      let divergences = report.divergences.map { divergence in
        let place = divergence.source
        let values = [
          divergence.recorded.map { "recorded \(ValuePreview.text($0, limit: 200))" },
          divergence.rerun.map { "run again \(ValuePreview.text($0, limit: 200))" },
          divergence.hint,
        ].compactMap(\.self)
        return VerifyFinding(
          kind: divergence.kind.rawValue,
          text: "step \(divergence.step) \(divergence.label): \(divergence.kind.rawValue)"
            + (divergence.path.isRoot ? "" : " at \(divergence.path)")
            + (values.isEmpty ? "" : "; " + values.joined(separator: "; ")),
          file: place?.file ?? file, line: place?.line, position: "\(file)@\(divergence.step)")
      }
      return divergences
        + report.undecodable.map {
          VerifyFinding(
            kind: "undecodable action", text: "step \($0.step) \($0.label): \($0.reason)",
            file: file,
            position: "\(file)@\($0.step)")
        }
        + gaps.sentences.map {
          VerifyFinding(
            kind: "not checked", text: "\(file): \($0)", file: file, position: file, isError: false)
        }
    }
  }
}

extension Divergence {
  /// The reducer's place in the source, from what a crash says.
  fileprivate var source: SourceLine? {
    [hint, rerun?["stack"]?.string, rerun?.string].compactMap(\.self).lazy
      .compactMap { SourceLine(in: $0) }.first
  }
}

/// SARIF 2.1.0, which code hosts show beside the lines of the source.
struct SARIFReport {
  private var results: [Value] = []
  private var kinds: [String] = []

  mutating func add(_ findings: [VerifyFinding]) {
    for finding in findings {
      let rule = finding.kind.replacing(" ", with: "-")
      if !kinds.contains(rule) { kinds.append(rule) }
      let scheme = finding.file.hasPrefix("/") ? "file://" : ""
      var place: ValueObject = [
        "artifactLocation": ["uri": .string(scheme + Link.encoded(finding.file))]
      ]
      if let line = finding.line { place["region"] = ["startLine": Value(line)] }
      results.append([
        "ruleId": .string(rule), "level": finding.isError ? "error" : "warning",
        "message": ["text": .string(finding.sentence)],
        "locations": [["physicalLocation": .object(place)]],
      ])
    }
  }

  var text: String {
    let driver: Value = [
      "name": "retcon", "version": .string(version),
      "rules": .list(kinds) { ["id": .string($0)] },
    ]
    let log: Value = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [["tool": ["driver": driver], "results": .array(ValueArray(results))]],
    ]
    return log.text(.pretty) + "\n"
  }
}

/// Annotations of GitHub Actions, and a summary of the job.
struct GitHubReport {
  private var rows = ""

  /// The annotations of one session.
  mutating func add(_ findings: [VerifyFinding]) -> String {
    var lines = ""
    for finding in findings {
      var place = "file=\(Self.escaped(finding.file, inProperty: true))"
      if let line = finding.line { place += ",line=\(line)" }
      lines +=
        "::\(finding.isError ? "error" : "warning") \(place),title=retcon verify::"
        + Self.escaped(finding.sentence) + "\n"
      rows += "| \(Markdown.code(finding.position)) | \(Markdown.cell(finding.text)) |\n"
    }
    return lines
  }

  func summary(_ words: String) -> String {
    "### retcon verify\n\n\(Markdown.cell(words))\n"
      + (rows.isEmpty ? "" : "\n| position | what differs |\n| --- | --- |\n\(rows)")
  }

  private static func escaped(_ text: String, inProperty: Bool = false) -> String {
    // As GitHub reads them: a file's name may have a line feed.
    let escapes = [("%", "%25"), ("\n", "%0A"), ("\r", "%0D")]
    let text = SafeText.line(
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.flatMap { scalar in
            (escapes.first { $0.0.unicodeScalars.first == scalar }?.1 ?? String(scalar))
              .unicodeScalars
          })))
    return inProperty ? text.replacing(":", with: "%3A").replacing(",", with: "%2C") : text
  }
}

/// Text that Markdown takes for nothing but text.
enum Markdown {
  static func code(_ text: String) -> String {
    let text = SafeText.line(text).replacing("|", with: "¦")
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = longest > 0 || text.isEmpty ? " " : ""
    return fence + space + text + space + fence
  }

  /// Words with every sign escaped that could mean something.
  static func cell(_ text: String) -> String {
    SafeText.line(text).map { "\\`*_{}[]<>()#+!|~&@".contains($0) ? "\\\($0)" : String($0) }
      .joined()
  }
}
