import Essentials
import Platform

/// A folder that holds the recordings of an app.
///
/// ```swift
/// let path = RecordingFolder.documents.session("cart")
/// let recorder = SessionRecorder<Cart, CartAction>(to: path, knowsCauses: true)
///
/// for file in RecordingFolder.documents.files { print(file) }
/// ```
public struct RecordingFolder: Sendable, Hashable {
  /// The folder's path.
  public let path: String

  /// Creates a reference to a folder, which is made with the first session.
  public init(_ path: String) { self.path = path }

  /// `Recordings` in the app's documents, visible to the Files app and `devicectl`.
  public static var documents: RecordingFolder {
    let found = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
    return RecordingFolder((found.first?.path ?? "Documents") + "/Recordings")
  }

  /// The path for a session of this name. Creates the folder.
  public func session(_ name: String) -> String {
    let path = "\(path)/\(name).retcon"
    makeFolders(above: path)
    return path
  }

  /// The paths of all sessions, with further parts and old ones, latest first.
  public var files: [String] {
    let times = namesInFolder(path).filter { $0.hasSuffix(".retcon") }.compactMap { name in
      fileStatus(of: "\(path)/\(name)").map { (path: "\(path)/\(name)", time: $0.modificationTime) }
    }
    return times.sorted { ($0.time.tv_sec, $0.time.tv_nsec) > ($1.time.tv_sec, $1.time.tv_nsec) }
      .map(\.path)
  }
}
