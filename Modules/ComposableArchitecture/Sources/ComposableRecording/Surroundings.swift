import ComposableArchitecture
@_spi(Adapters) import SessionLog
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The calendar, locale and time zone by name. `Codable` writes the current ones as “current”,
/// which differs on each machine.
struct Surroundings: Codable, Equatable {
  static let key = "surroundings"

  private let calendar: String
  private let firstWeekday: Int
  private let locale: String
  private let timeZone: String

  init() {
    @ComposableArchitecture.Dependency(\.calendar) var calendar
    @ComposableArchitecture.Dependency(\.locale) var locale
    @ComposableArchitecture.Dependency(\.timeZone) var timeZone
    self.calendar = "\(calendar.identifier)"
    firstWeekday = calendar.firstWeekday
    self.locale = locale.identifier
    self.timeZone = timeZone.identifier
  }

  private static let calendars: [Calendar.Identifier] = [
    .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
    .iso8601, .indian, .islamic, .islamicCivil, .islamicTabular, .islamicUmmAlQura, .japanese,
    .persian, .republicOfChina,
  ]

  func put(into values: inout ComposableArchitecture.DependencyValues) {
    let known = Self.calendars.first { "\($0)" == calendar }
    var fixed = Calendar(identifier: known ?? .gregorian)
    fixed.firstWeekday = firstWeekday
    fixed.locale = Locale(identifier: locale)
    values.locale = Locale(identifier: locale)
    if let zone = TimeZone(identifier: timeZone) {
      fixed.timeZone = zone
      values.timeZone = zone
    }
    values.calendar = fixed
  }
}

/// The surroundings of a replayed session: those of its first step, unless a step has its own.
final class FirstSurroundings: Sendable {
  private let first = Mutex<Surroundings?>(nil)

  /// Another session begins.
  func forget() { first.withLock { $0 = nil } }

  var now: Surroundings? {
    let told: Surroundings? = Tape().valueIfRecorded(Surroundings.key)
    return first.withLock { first in
      first = first ?? told
      return told ?? first
    }
  }
}
