package enum TypeName {
  /// `Item` for `App.Item`. Names that every feature has keep the feature's name: `Wishes.State`.
  package static func short(_ type: Any.Type) -> String {
    let name = String(describing: type)
    switch name {
    case "State", "Action":
      let path = String(reflecting: type).split(separator: ".").suffix(2)
      return path.contains { $0.contains(")") } ? name : path.joined(separator: ".")
    default: return name.hasSuffix(".Type") ? String(reflecting: type) : name
    }
  }

  static func isOfTheLanguage(_ type: Any.Type) -> Bool {
    let full = String(reflecting: type)
    return ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch.", "_Concurrency."]
      .contains { full.hasPrefix($0) }
  }
}
