/// The label of a stored property as its author wrote it.
struct MemberLabel {
  var text: String
  var original: String
  /// Whether the storage belongs to a property wrapper.
  var isWrapper: Bool

  /// Nil for storage that the compiler or a macro added and that nobody wants to see.
  init?(_ label: String, among labels: Set<String>) {
    original = label
    isWrapper = false
    text = label
    if label.hasPrefix("_$") { return nil }
    let lazyPrefix = "$__lazy_storage_$_"
    if label.hasPrefix(lazyPrefix) {
      text = String(label.dropFirst(lazyPrefix.count))
    } else if label.hasPrefix("_"), label.count > 1, !labels.contains(String(label.dropFirst())),
      label.dropFirst().first?.isLetter == true
    {
      text = String(label.dropFirst())
      isWrapper = true
    }
  }
}
