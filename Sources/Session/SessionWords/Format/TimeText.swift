import Platform
import ValueTree

extension Duration {
  /// Decimal seconds without trailing zeros: `0`, `12.5`, `0.000001`.
  package var decimalSeconds: String {
    let (seconds, attoseconds) = components
    let nanoseconds = attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return String(seconds) }
    var (digits, count) = (nanoseconds.magnitude, 9)
    while digits.isMultiple(of: 10) { (digits, count) = (digits / 10, count - 1) }
    let text = String(digits)
    let sign = seconds == 0 && nanoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds).\(String(repeating: "0", count: count - text.utf8.count))\(text)"
  }

  /// Nil for other values, and for times over a thousand years.
  package init?(decimalSeconds value: Value?) {
    guard case .number(let number) = value else { return nil }
    if case .integer(let seconds) = number, seconds.magnitude < 32_000_000_000 {
      self = .seconds(seconds)
      return
    }
    let seconds = number.doubleValue
    guard seconds.isFinite, seconds.magnitude < 32_000_000_000 else { return nil }
    let whole = seconds.rounded(.towardZero)
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(nanoseconds))
  }
}

/// A moment as RFC 3339: `2026-11-20T10:56:00.123Z`.
package enum UTCText {
  /// Nil outside the years 0 to 9999, which the standard cannot write.
  package static func of(milliseconds: Int64) -> String? {
    var seconds = time_t(milliseconds / 1000)
    var rest = milliseconds % 1000
    if rest < 0 {
      seconds -= 1
      rest += 1000
    }
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil, (0...9999).contains(Int(parts.tm_year) + 1900) else {
      return nil
    }
    func digits(_ number: some BinaryInteger, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let year = Int(parts.tm_year) + 1900
    let date = "\(digits(year, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    let time =
      "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
    return "\(date)T\(time).\(digits(rest, 3))Z"
  }

  package static func milliseconds(of text: String) -> Int64? {
    let parts = text.split { !$0.isNumber }
    let numbers = parts.compactMap { Int32($0) }
    guard text.hasSuffix("Z"), !text.contains(where: { $0.isLetter && !"TZ".contains($0) }),
      (6...7).contains(parts.count), numbers.count == parts.count,
      (0...9_999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2]), (0...24).contains(numbers[3]),
      (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    var day = tm()
    (day.tm_year, day.tm_mon, day.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    let start = Int64(timegm(&day))
    // The 31st of a shorter month became a day of the next one.
    guard day.tm_mday == numbers[2] else { return nil }
    let seconds = start + Int64((numbers[3] * 60 + numbers[4]) * 60 + numbers[5])
    let fraction = parts.dropFirst(6).first.flatMap { Double("0.\($0)") } ?? 0
    return seconds * 1000 + Int64((fraction * 1000).rounded())
  }

  package static var now: String? {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return of(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
