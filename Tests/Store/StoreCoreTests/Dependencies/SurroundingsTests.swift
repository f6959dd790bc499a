import Platform
import StoreCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Dates, places, and dependencies that are taken along")
struct SurroundingsTests {
  @Test("the date is set like a property, and is the same for all who ask")
  func date() {
    let date = Date(timeIntervalSince1970: 7)
    withDependencies {
      $0.date.now = date
    } operation: {
      @Dependency(\.date.now) var now
      @Dependency(\.date) var generator
      #expect(now == date)
      #expect(generator() == date)
    }
  }

  @Test("calendar, locale and time zone are those of no place in a test, until they are set")
  func places() {
    @Dependency(\.calendar) var calendar
    @Dependency(\.locale) var locale
    @Dependency(\.timeZone) var timeZone
    #expect(calendar.identifier == .gregorian)
    #expect(calendar.timeZone.secondsFromGMT() == 0)
    #expect(locale.identifier == "en_US_POSIX")
    #expect(timeZone.secondsFromGMT() == 0)
    withDependencies {
      $0.timeZone = TimeZone(secondsFromGMT: 3_600) ?? $0.timeZone
      $0.locale = Locale(identifier: "de_CH")
    } operation: {
      #expect(timeZone.secondsFromGMT() == 3_600)
      #expect(locale.identifier == "de_CH")
    }
  }

  @Test("dependencies go along to code that runs outside of the task")
  func escaping() async {
    let taken = withDependencies {
      $0.date.now = Date(timeIntervalSince1970: 7)
    } operation: {
      withEscapedDependencies { dependencies in
        { @Sendable in
          dependencies.yield {
            @Dependency(\.date.now) var now
            return now
          }
        }
      }
    }
    let now = Locked<Date?>(nil)
    await ThreadProbe.ofNewThread { now.withLock { $0 = taken() } }
    #expect(now.withLock { $0 } == Date(timeIntervalSince1970: 7))
  }
}
