import Platform
import SessionWords
import ValueTree

/// Earlier sessions of a path, beside it under names with their start times, with parts and
/// sidecars.
package struct KeptSessions {
  let path: String
  private let names: PartNames

  init(of path: String) {
    self.path = path
    names = PartNames(path)
  }

  package static let usual = 10

  /// Renames the session at the path. Anything else there is an error, and stays.
  func setAside() throws(SessionError) {
    if let session = try session() { try setAside(session) }
  }

  func check() throws(SessionError) { _ = try session() }

  private func session() throws(SessionError) -> PathSession? {
    switch PathOccupant(at: path) {
    case .nothing: return nil
    case .other(let what): throw SessionError(.isNoSession(what), path: path)
    case .session(let session):
      guard !session.isRecorded else { throw SessionError(.isBeingRecorded, path: path) }
      return session
    }
  }

  private func setAside(_ session: PathSession) throws(SessionError) {
    let header = session.header
    let new = PartNames(try freePath(for: time(of: session, header)))
    // After an interruption, the next attempt gives the rest the same names.
    let sidecar = path + SidecarPlaces.suffix
    if Self.exists(sidecar) {
      try move(sidecar, to: new.path(ofPart: 1) + SidecarPlaces.suffix)
    }
    for (index, part) in names.furtherParts(of: header).enumerated().reversed() {
      try move(part.path, to: new.path(ofPart: index + 2))
    }
    try move(path, to: new.path(ofPart: 1))
    withExtendedLifetime(session) {}
  }

  /// A free name with a start time, for an earlier session, or for a second recording.
  func freePath(for time: String) throws(SessionError) -> String {
    let hasSidecar = Self.exists(path + SidecarPlaces.suffix)
    // Counts up from the highest number, so that the order is by age.
    let taken = listed.filter { $0.time == time }.map(\.number).max() ?? 0
    for number in taken + 1...taken + 1_000 {
      let name = Name(time: time, number: number).path(names)
      guard !Self.exists(name), !hasSidecar || !Self.exists(name + SidecarPlaces.suffix) else {
        continue
      }
      return name
    }
    throw SessionError(.system("no name is free to keep the session that is there"), path: path)
  }

  /// Removes the oldest beyond a number. Keeps files that may not be such sessions, and those with
  /// marks or forks.
  func prune(keeping count: Int) {
    let kept = listed.compactMap { name -> PathSession? in
      guard case .session(let session) = PathOccupant(at: name.path(names)),
        !session.isRecorded, let header = session.header, header.part == 1,
        time(of: session, header) == name.time, !isWorkedOn(session.path)
      else { return nil }
      return session
    }
    for session in kept.dropLast(max(0, count)) {
      let parts = PartNames(session.path).furtherParts(of: session.header)
      unlink(session.path)
      for part in parts { unlink(part.path) }
      unlink(session.path + SidecarPlaces.suffix)
      unlink(session.path + SidecarPlaces.suffix + ".lock")
    }
  }

  private func isWorkedOn(_ path: String) -> Bool {
    let sidecar = path + SidecarPlaces.suffix
    guard Self.exists(sidecar) else { return false }
    guard let file = try? PartFile(path: sidecar), file.size < 32 << 20,
      let bytes = try? file.bytes(at: 0, count: file.size),
      let value = try? Value(parsing: bytes)
    else { return true }
    return ["marks", "branches"].contains { value[$0]?[0] != nil }
  }
}

extension KeptSessions {
  /// The part between the path and its extension: `2026-11-20T10-56-00.123Z`, plus a number from 2
  /// for equal times.
  struct Name: Comparable {
    var time: String
    var number: Int

    var text: String { time + (number > 1 ? "-\(number)" : "") }

    func path(_ names: PartNames) -> String { names.stem + "." + text + names.suffix }

    static func < (left: Name, right: Name) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }
  }

  private var listed: [Name] {
    let folder = folderPart(of: path)
    let stem = names.stem.dropFirst(folder.count) + "."
    return namesInFolder(folder.isEmpty ? "." : folder).compactMap { name in
      guard name.hasPrefix(stem), name.hasSuffix(names.suffix) else { return nil }
      return Name(name.dropFirst(stem.count).dropLast(names.suffix.count))
    }.sorted()
  }

  /// A session's start for a name: from its header, else the file's last change.
  private func time(of session: PathSession, _ header: SessionHeader?) -> String {
    if let started = header?.started, Self.isTime(started, separator: ":") {
      return Self.nameTime(started)
    }
    let time = fileStatus(of: session.path)?.modificationTime ?? timespec()
    let milliseconds = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    return Self.nameTime(UTCText.of(milliseconds: milliseconds) ?? Self.noTime)
  }

  private static let noTime = "1970-01-01T00:00:00.000Z"

  static func nameTime(ofStart started: String?) -> String {
    if let started, isTime(started, separator: ":") { return nameTime(started) }
    return nameTime(UTCText.now ?? noTime)
  }

  /// File names cannot contain colons everywhere.
  private static func nameTime(_ text: String) -> String { text.replacing(":", with: "-") }

  /// `2026-11-20T10:56:00Z`, with optional fractions. Checked exactly, because a header's text
  /// becomes a file name.
  private static func isTime(_ text: String, separator: Character) -> Bool {
    let day = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    let time = "[0-9]{2}\(separator)[0-9]{2}\(separator)[0-9]{2}([.][0-9]{1,9})?"
    return (try? TextPattern("\(day)T\(time)Z"))?.matches(text) == true
  }

  private static func exists(_ path: String) -> Bool { fileStatus(of: path) != nil }

  private func move(_ old: String, to new: String) throws(SessionError) {
    if NewFile.rename(old, to: new) { return }
    throw SessionError(
      .system("the session that is there cannot be kept as \(new): \(errorText(errno))"),
      path: path)
  }
}

extension KeptSessions.Name {
  init?(_ text: Substring) {
    time = String(text.prefix { $0 != "Z" }) + "Z"
    number = Int(text.dropFirst(time.count + 1)) ?? 1
    guard KeptSessions.isTime(time, separator: "-"), number > 0, self.text == text else {
      return nil
    }
  }
}
