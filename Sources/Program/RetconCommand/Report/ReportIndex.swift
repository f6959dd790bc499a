import Debugger
import Platform
import SessionWords
import TextCanvas
import TimeTravel

/// A report for each of many sessions, and a page that lists them: first the findings, then those
/// with the same failure together, the largest group first. A finding has one report.
struct ReportIndex {
  let command: ReportCommand
  let context: CommandContext

  private struct Entry {
    var file: String
    var page: String?
    var summary: String
    /// The first failure; nil without one.
    var cause: String?
    var isUnread = false
  }

  func run() async throws -> ExitCode {
    let folder = command.output ?? "."
    let found = command.files.map(Self.sessions)
    let all = found.flatMap(\.sessions)
    let otherFiles = found.reduce(0) { $0 + $1.others }
    guard !all.isEmpty else {
      throw UsageError(
        what: "\(command.files[0]) holds no session",
        next: "Name files, or a folder of .retcon files")
    }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw UsageError(what: "cannot make the folder \(folder): \(errorText(errno))")
    }
    let index = "\(folder)/index.html"
    try SessionReport.check(index, replaces: command.isForced)
    let progress = ProgressLine(output: context.output, name: folder)
    let findings = try await command.findings(of: all, in: context)
    let different = (findings?.all ?? []).filter { $0.severity == .differs }
    let others = Set(different.flatMap { $0.sessions.dropFirst().map(\.file) })
    var entries: [Entry] = []
    for (number, file) in all.enumerated() where !others.contains(file) {
      try Interruption.check()
      progress.show(done: number, of: all.count)
      entries.append(await entry(of: file, number + 1, in: folder, findings))
    }
    progress.clear()
    let pages = page(entries, different, of: all.count, findings?.sentence)
    try FileSystem.write(pages, to: index, replacing: command.isForced)
    let failing = others.count + entries.count { $0.cause != nil && !$0.isUnread }
    let unread = entries.count(where: \.isUnread)
    context.tell(
      "\(index) is written: \(counted(all.count, "session")), \(failing) with failures"
        + (different.isEmpty ? "" : " (\(counted(different.count, "finding")))")
        + (unread > 0 ? ", \(unread) could not be read." : ".")
        + (otherFiles > 0
          ? " Not in it: \(counted(otherFiles, "other file")); name files to add them." : ""))
    return unread > 0 ? .trouble : .yes
  }

  /// The sessions of a folder, and how many other files it has; a further part of a recording
  /// belongs to its first.
  private static func sessions(in file: String) -> (sessions: [String], others: Int) {
    guard fileStatus(of: file, following: true)?.isFolder == true else { return ([file], 0) }
    let names = namesInFolder(file)
    let files = names.filter { name in
      let stem = name.split(separator: ".")
      let isPart = stem.count > 2 && Int(stem[stem.count - 2]) != nil
      let first = stem.dropLast(2).joined(separator: ".") + ".retcon"
      return !name.contains(".sidecar") && !name.hasSuffix(".html") && !name.hasPrefix(".")
        && !(isPart && names.contains(first))
        && fileStatus(of: "\(file)/\(name)", following: true)?.isFolder == false
    }
    let sessions = files.filter { $0.contains(".retcon") }
    return (sessions.map { "\(file)/\($0)" }, files.count - sessions.count)
  }

  private func entry(
    of file: String, _ number: Int, in folder: String, _ findings: Findings?
  ) async -> Entry {
    let redactor = Redactor(command.redaction)
    let shown = redactor.text(file, .name)
    let stem = redactor.text(file.split(separator: "/").last.map(String.init) ?? "session", .name)
    let name = stem.map {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-"
    }
    let page = "\(number)-\(String(name)).html"
    do {
      var asking = command.asking
      asking.position = try FilePosition(file)
      let written = try await command.write(
        asking, to: "\(folder)/\(page)", in: context, known: findings)
      let cause = written.failures.first.map { "\($0.label): \($0.words)" }
      return Entry(file: shown, page: page, summary: written.summary, cause: cause)
    } catch {
      let words = redactor.text(sentence(for: error), .message)
      return Entry(file: shown, summary: words, cause: "could not be read", isUnread: true)
    }
  }

  /// Numbers differ between sessions with one mistake.
  private static func common(_ words: String) -> String {
    var common = ""
    for sign in words where !(sign.isNumber && common.last == "#") {
      common.append(sign.isNumber ? "#" : sign)
    }
    return common
  }

  /// The cause, both values, the page and the commands; then all its sessions, folded.
  private func section(_ finding: Finding, _ entries: [Entry]) -> String {
    let redactor = Redactor(command.redaction)
    func text(_ words: String) -> String {
      ReportPage.escaped(redactor.text(words, .message).clipped(to: 1_000))
    }
    let shortest = redactor.text(finding.shortest.file, .name)
    let page = entries.first { $0.file == shortest }?.page
    let name = text(finding.shortest.position)
    return """
      <section><h2 class="bad">\(text(finding.words)) <small>\(finding.count)</small></h2>
      <p>\(page.map { "<a href=\"\($0)\">\(name)</a>" } ?? name) <span>\(text(finding.detail))</span></p>
      \(finding.source.map { "<p><code>\(text("\($0.file):\($0.line)"))</code></p>" } ?? "")
      <ul>\(finding.commands(command.hostWords).map { "<li><code>\(text($0))</code></li>" }.joined())</ul>
      <details><summary>All of its sessions</summary><ul>
      \(finding.sessions.map { "<li>\(text($0.position))</li>" }.joined(separator: "\n"))
      </ul></details></section>

      """
  }

  private func page(
    _ all: [Entry], _ findings: [Finding], of count: Int, _ summary: String?
  ) -> String {
    let redactor = Redactor(command.redaction)
    let shortest = Set(findings.map { redactor.text($0.shortest.file, .name) })
    let entries = all.filter { !shortest.contains($0.file) }
    let causes = Dictionary(grouping: entries) { $0.cause.map(Self.common) }
    let groups = causes.sorted { left, right in
      guard (left.key == nil) == (right.key == nil) else { return right.key == nil }
      return (right.value.count, left.key ?? "") < (left.value.count, right.key ?? "")
    }
    var body = summary.map { "<p>\(ReportPage.escaped($0))" } ?? ""
    if !findings.isEmpty { body += " A session counts for what differs first in it." }
    body += (summary == nil ? "" : "</p>\n") + findings.map { section($0, all) }.joined()
    for (cause, group) in groups {
      let words = Set(group.map(\.cause))
      let title = (words.count == 1 ? words.first ?? cause : cause) ?? "No failure"
      body += "<section><h2\(cause == nil ? "" : " class=\"bad\"")>"
      body += "\(ReportPage.escaped(title.clipped(to: 300))) "
      body += "<small>\(counted(group.count, "session"))</small></h2>\n<ul>\n"
      for entry in group {
        let name = ReportPage.escaped(entry.file)
        let link = entry.page.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
        let summary = ReportPage.escaped(entry.summary.clipped(to: 300))
        body += "<li>\(link) <span>\(summary)</span></li>\n"
      }
      body += "</ul></section>\n"
    }
    return ReportPage.plain(title: "\(counted(count, "session")) – Retcon", body: body)
  }
}
