/// The unit of a figure.
enum Unit: String, Sendable {
  case seconds, bytes, share

  func text(_ figure: Double) -> String {
    switch self {
    case .seconds:
      switch figure {
      case 1...: "\(compact(figure)) s"
      case 1e-3...: "\(compact(figure * 1e3)) ms"
      case 1e-6...: "\(compact(figure * 1e6)) µs"
      default: "\(compact(figure * 1e9)) ns"
      }
    case .bytes:
      switch figure {
      case 1e6...: "\(compact(figure / 1e6)) MB"
      case 1e3...: "\(compact(figure / 1e3)) KB"
      default: "\(compact(figure)) B"
      }
    case .share: "\(compact(figure * 100)) %"
    }
  }
}
