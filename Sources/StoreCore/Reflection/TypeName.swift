package struct TypeName {
  private let full: String

  init(_ type: Any.Type) {
    full = String(reflecting: type)
  }

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

  var isOfTheLanguage: Bool {
    ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch.", "_Concurrency."]
      .contains { full.hasPrefix($0) }
  }
}
