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
  /// Where the folder is.
  public let path: String

  /// The folder at a path. It is made with the first session.
  public init(_ path: String) { self.path = path }

  /// `Recordings` in the documents of the app, where the Files app and `devicectl` find it.
  public static var documents: RecordingFolder {
    let found = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
    return RecordingFolder((found.first?.path ?? "Documents") + "/Recordings")
  }

  /// The path for a session of this name. Makes the folder.
  public func session(_ name: String) -> String {
    let path = "\(path)/\(name).retcon"
    makeFolders(above: path)
    return path
  }

  /// The paths of all sessions, further parts and kept ones included. The one that changed last comes first.
  public var files: [String] {
    let times = namesInFolder(path).filter { $0.hasSuffix(".retcon") }.compactMap { name in
      fileStatus(of: "\(path)/\(name)").map { (path: "\(path)/\(name)", time: $0.modificationTime) }
    }
    return times.sorted { ($0.time.tv_sec, $0.time.tv_nsec) > ($1.time.tv_sec, $1.time.tv_nsec) }
      .map(\.path)
  }
}
