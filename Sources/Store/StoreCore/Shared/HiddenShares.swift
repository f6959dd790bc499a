import Platform
import Synchronization

extension SharedPlaces {
  /// Reports once each shared value in a place that is not searched: there it is an unshared copy.
  func reportHidden(in root: Any.Type) {
    guard Self.isNeeded.load(ordering: .relaxed),
      searched.withLock({ $0.insert(ObjectIdentifier(root)).inserted })
    else { return }
    var seen: [String: Set<ObjectIdentifier>] = [:]
    var waiting = [Search(type: root, path: String(reflecting: root))]
    // Looks into a type once in the open, and once in each place that hides it.
    for _ in 0..<2_000 {
      guard let next = waiting.popLast() else { return }
      guard seen[next.holder?.path ?? "", default: []].insert(ObjectIdentifier(next.type)).inserted
      else { continue }
      if next.type is any SharedPlace.Type {
        if let holder = next.holder { Self.report(next.path, holder.name) }
      } else {
        waiting += next.parts.reversed()
      }
    }
  }

  private static func report(_ path: String, _ holder: String) {
    reportIssue(
      """
      \(path) is shared, but lies in \(holder), where the store does not find it: it is a copy that \
      nobody shares. Hold it in a struct or an enum.
      """)
  }

  private struct Search {
    var type: Any.Type
    var path: String
    var holder: (name: String, path: String)?

    var parts: [Search] {
      if let type = type as? any SharedHiding.Type {
        return type.hiddenTypes.map { part($0, "", "a set or the key of a dictionary") }
          + type.otherTypes.map { part($0, "") }
      }
      if let type = type as? any SharedContainer.Type { return [part(type.heldType, "")] }
      let metadata = TypeMetadata(type)
      guard let objectFields = metadata.objectFields else { return parts(metadata.fields ?? []) }
      let name = String(reflecting: type)
      if ["Swift.", "Foundation", "Dispatch."].contains(where: name.hasPrefix) { return [] }
      return parts(objectFields, "an object (\(name))")
    }

    private func parts(_ fields: [TypeMetadata.Field], _ newHolder: String? = nil) -> [Search] {
      fields.map { field in
        let name = Mirror.written(field.name) { name in fields.contains { $0.name == name } }
        return part(field.type, ".\(name)", newHolder)
      }
    }

    private func part(_ type: Any.Type, _ name: String, _ newHolder: String? = nil) -> Search {
      let path = path + name
      return Search(type: type, path: path, holder: holder ?? newHolder.map { ($0, path) })
    }
  }
}

/// A type that holds a value by copy: changes inside would be lost.
private protocol SharedHiding {
  static var hiddenTypes: [Any.Type] { get }
  static var otherTypes: [Any.Type] { get }
}

extension Set: SharedHiding {
  fileprivate static var hiddenTypes: [Any.Type] { [Element.self] }
  fileprivate static var otherTypes: [Any.Type] { [] }
}

extension Dictionary: SharedHiding {
  fileprivate static var hiddenTypes: [Any.Type] { [Key.self] }
  fileprivate static var otherTypes: [Any.Type] { [Value.self] }
}
