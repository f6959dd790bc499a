import Essentials
import Platform
import SessionWords
import TextCanvas

/// The page around a report's data: one HTML file that makes no request.
///
/// The content policy allows exactly this page's script and style, so a session cannot bring its
/// own.
package struct ReportPage {
  let title: String
  let summary: String

  /// The page in two parts; the packed data stand between them.
  var parts: (head: String, tail: String) {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let style = text(PackageResources.report_css)
    let script = [
      PackageResources.data_js, PackageResources.elements_js, PackageResources.steps_js,
      PackageResources.detail_js, PackageResources.opening_js,
    ].map(text).joined(separator: "\n")
    let policy =
      "default-src 'none'; script-src \(Self.hash(of: script)); "
      + "style-src \(Self.hash(of: style)); base-uri 'none'; form-action 'none'"
    let values = [
      "policy": policy, "title": Self.escaped(title), "summary": Self.escaped(summary),
      "style": style, "script": script,
    ]
    var (head, page) = ("", "")
    // Filled in from left to right, so that no value is taken for a mark.
    for (index, piece) in text(PackageResources.report_html).split(separator: "{{").enumerated() {
      let parts = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      if index > 0, parts[0] == "session" { (head, page) = (page, "") }
      page += index == 0 ? piece : (values[String(parts[0])] ?? "") + (parts.last ?? "")
    }
    return (head, page)
  }

  private static func hash(of text: some StringProtocol) -> String {
    "'sha256-\(Data(SHA256.hash(text.utf8)).base64EncodedString())'"
  }

  /// A page without a script, with the report's colours.
  package static func plain(title: String, body: String) -> String {
    let style = """
      :root { color-scheme: light dark;
        --ink: #23272b; --paper: #f7f7f4; --red: #b3261e; --accent: #2a5db0 }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #d8dbde; --paper: #17191c; --red: #f08b82; --accent: #84aef2 } }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto;
        padding: 0 1em; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
      h1 { font-size: 20px } h2 { font-size: 16px; margin: 1.6em 0 .3em } .bad { color: var(--red) }
      small, span { font-weight: normal; opacity: .75 }
      a { color: var(--accent) } li { margin: .3em 0 }
      """
    let policy =
      "default-src 'none'; style-src \(hash(of: style)); "
      + "base-uri 'none'; form-action 'none'"
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(title))</title>
      <style>\(style)</style></head>
      <body><h1>\(escaped(title))</h1>
      \(body)</body></html>

      """
  }

  /// A line as text of a page, without control characters.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in SafeText.line(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
