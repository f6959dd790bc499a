import Platform
import SessionFile
import SessionImports
import SessionWords

/// The sessions that an agent may read: those the server was started with, and with `--any-file`
/// all others that this user can read.
final class AgentFiles: Sendable {
  private let named: [String]
  private let allowsAny: Bool
  private let opened = Locked<Set<String>>([])

  init(_ named: [String], any allowsAny: Bool = false) {
    (self.named, self.allowsAny) = (named, allowsAny)
  }

  /// The path of a session. Errors reveal nothing about files that are no sessions.
  func path(_ asked: String?) throws -> String {
    let known = named.isEmpty ? nil : "There are " + named.joined(separator: ", ")
    guard let file = asked ?? (named.count == 1 ? named[0] : nil) else {
      throw UsageError(what: "file is missing", next: known ?? "Name a session")
    }
    guard let path = named.first(where: { $0 == file }) else {
      guard allowsAny else {
        throw UsageError(
          what: "\(file.clipped()) is not a file that this server was started for",
          next: known)
      }
      guard Self.holdsSession(file) else { throw Self.noSession(file) }
      return file
    }
    guard opened.withLock({ !$0.contains(path) }) else { return path }
    do {
      _ = try SessionArgument(file: path).open()
    } catch is ImportError {
      throw Self.noSession(path)
    } catch let error as SessionError {
      switch error.problem {
      case .notASession, .badHeader: throw Self.noSession(path)
      default: throw error
      }
    }
    opened.withLock { _ = $0.insert(path) }
    return path
  }

  /// A line for each session that has a name here.
  func lines(_ path: (String) async throws -> String) async -> [String] {
    var lines: [String] = []
    for file in named {
      do {
        let reader = try SessionArgument(file: try await path(try self.path(file))).open()
        let app = [reader.header.app?.name, reader.header.app?.version].compactMap(\.self)
        lines.append(
          ([file] + (app.isEmpty ? [] : [app.joined(separator: " ")])
            + [counted(reader.steps.count - 1, "action")]).joined(separator: "  "))
      } catch {
        lines.append(sentence(for: error))
      }
    }
    return lines + (allowsAny ? ["Every other session that you name is answered about, too."] : [])
  }

  private static func noSession(_ file: String) -> UsageError {
    UsageError(what: "\(file.clipped(to: 300)) is no session", next: "Name another file")
  }

  /// Whether a file begins like a session; does not block on a pipe. Exports of other tools look
  /// like any JSON, so users must name them.
  private static func holdsSession(_ path: String) -> Bool {
    !path.utf8.contains(0) && fileStatus(of: path, following: true)?.isFile == true
      && SessionHeader.read(at: path, upTo: 1 << 22) != nil
  }
}
