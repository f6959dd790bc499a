extension Duration {
  private var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  package var clockText: String {
    let milliseconds = milliseconds
    let seconds = milliseconds / 1_000
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
    return parts.joined(separator: ":") + "." + padded(milliseconds % 1_000, to: 3)
  }

  /// In at most five cells: `0ms`, `12ms`, `1.1s`, `12s`, `3m`, `2h`, `4d`.
  package var shortText: String {
    let milliseconds = milliseconds
    switch milliseconds {
    case ..<0: return "−" + (Duration.zero - self).shortText
    case ..<1_000: return "\(milliseconds)ms"
    case ..<10_000: return "\(milliseconds / 1_000).\(milliseconds / 100 % 10)s"
    case ..<60_000: return "\(milliseconds / 1_000)s"
    case ..<3_600_000: return "\(milliseconds / 60_000)m"
    case ..<86_400_000: return "\(milliseconds / 3_600_000)h"
    default: return "\(milliseconds / 86_400_000)d"
    }
  }

  /// For a list, where hours need their minutes and seconds: `12ms`, `3m`, `1h 23m 20s`.
  package var listText: String {
    let seconds = milliseconds / 1_000
    guard seconds >= 3_600 else { return shortText }
    return
      "\(seconds / 3_600)h \(padded(seconds / 60 % 60, to: 2))m \(padded(seconds % 60, to: 2))s"
  }

  /// For a sentence: `320 ms`, `1.5 s`, `41 s`, `7 min 23 s`, `2 h 5 min`.
  package var longText: String {
    let milliseconds = milliseconds
    let seconds = milliseconds / 1_000
    switch seconds {
    case ..<1: return "\(milliseconds) ms"
    case ..<10 where milliseconds / 100 % 10 > 0:
      return "\(seconds).\(milliseconds / 100 % 10) s"
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
    }
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
