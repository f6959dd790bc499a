/// An effect that outlives its step. (A synchronous `send` does not and is no `StoreEffect`.)
public struct StoreEffect: Sendable {
  /// What an effect is there for.
  public enum Kind: Sendable, Hashable {
    /// Runs what somebody wrote.
    case work
    /// Waits, and something is done afterwards.
    case pause(Duration)
    /// Waits until a throttle lets something through again. Nobody waits for it to end.
    case window(Duration)
  }

  /// 1, 2, 3 … in the order in which the store starts them.
  public let number: Int
  package let origin: EffectStart
  /// Its place among the effects that its step returned, from 1.
  public let ordinal: Int
  let site: EffectSite
  let scope: EffectScope

  /// The step that started it.
  public var step: Int { origin.step }
  /// The step of the user's action that it descends from.
  public var rootStep: Int { origin.root }
  /// The name that `run(name:)` was given.
  public var name: String? { site.name }
  /// The file in which the effect is written.
  public var fileID: String { site.texts?.fileID ?? "\(site.place.fileID)" }
  /// The line at which the effect is written.
  public var line: Int { site.texts?.line ?? Int(site.place.line) }
  /// Where the effect is written.
  public var place: SourcePlace { site.place }
  /// What it is there for.
  public var kind: Kind { site.kind }

  /// Its name, if it has one, and where it stands.
  package var title: String {
    let file = fileID.split(separator: "/").last.map(String.init) ?? fileID
    return "The effect \(name.map { "“\($0)” " } ?? "")(\(file):\(line))"
  }

  /// The children of the feature that it runs in, one in the other: their places and their ids there.
  public var path: [String] { site.texts?.path ?? scope.path.map { $0.description } }

  /// A text for the children that it runs in and its cancel ids with their types, nil without any.
  public var cancelID: String? {
    let ids = path + (site.texts?.cancelIDs ?? scope.ids.map { "\($0.id)" })
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }
}
