import Platform

/// Notices a path that stands under the name of another case than its own: `let y = CasePath(A.x)`.
///
/// A path does not know where it stands; it looks itself up among those of its enum when it has met
/// its case for the first time.
final class CasePathName: Sendable {
  private let isChecked = Locked(false)

  func check<Root>(_ root: Root) {
    let isFirst = isChecked.withLock { isChecked in
      defer { isChecked = true }
      return !isChecked
    }
    guard isFirst, let name = caseName(of: root), let label = label(in: root), label != name else {
      return
    }
    reportIssue(
      "The path that \(Root.self).allCasePaths has under “\(label)” leads to the case “\(name)”.")
  }

  private func label<Root>(in root: Root) -> String? {
    func paths<Known: CasePathable>(_: Known) -> Mirror {
      Mirror(reflecting: Known.allCasePaths)
    }
    guard let root = root as? any CasePathable else { return nil }
    return paths(root).children.first { ($0.value as? any NamedCasePath)?.name === self }?.label
  }
}

/// A path of whatever types.
protocol NamedCasePath {
  var name: CasePathName? { get }
}

extension CasePath: NamedCasePath {}

/// What the source calls the case that a value is in; nil for what is no enum.
package func caseName(of value: some Any) -> String? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  if let label = mirror.children.first?.label { return label }
  return value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    ? nil : "\(value)"
}
