import StoreCore

struct StateExpectation<State: Equatable> {
  var before: State
  var after: State
  var exhaustivity: Exhaustivity

  typealias Finding = (message: String, kind: Failure.Kind)

  /// The mistake, or nil.
  ///
  /// The closure changes `before` in place: copying a large state costs more than the rest.
  mutating func finding(_ assert: ((inout State) throws -> Void)?) -> Finding? {
    switch exhaustivity {
    case .on: exhaustiveFinding(assert).map { ($0, .failure) }
    case .off(let showsSkipped): lenientFinding(assert, showsSkipped: showsSkipped)
    }
  }

  private mutating func exhaustiveFinding(
    _ assert: ((inout State) throws -> Void)?
  ) -> String? {
    let isUnchanged = before == after
    guard let assert else {
      if isUnchanged { return nil }
      return TestStoreText.difference(
        "The state changed, but no change was expected", before, after)
    }
    do { try Self.change(&before, assert) } catch { return Self.thrown(error) }
    if before != after {
      return TestStoreText.difference("The state is not as expected", before, after)
    }
    if isUnchanged {
      return """
        The closure changes nothing, and nothing changed. Leave it out where no change is expected.
        """
    }
    return nil
  }

  private func lenientFinding(
    _ assert: ((inout State) throws -> Void)?, showsSkipped: Bool
  ) -> Finding? {
    var expected = after
    var asserted = before
    do {
      try Self.change(&expected, assert)
      if showsSkipped { try Self.change(&asserted, assert) }
    } catch { return (Self.thrown(error), .failure) }
    if expected != after {
      return (
        TestStoreText.difference("The state is not as expected", expected, after), .failure
      )
    }
    guard showsSkipped, asserted != after else { return nil }
    return (
      TestStoreText.difference(
        "Changes of the state were not asserted", signs: "− asserted, + actual", asserted, after),
      .skipped
    )
  }

  /// The closure sees shared values as a reducer does.
  private static func change(
    _ state: inout State, _ assert: ((inout State) throws -> Void)?
  ) throws {
    guard let assert else { return }
    try DependencyValues.current.changing(&state, assert)
  }

  private static func thrown(_ error: any Error) -> String {
    "The closure that describes the state threw an error: \(error)"
  }
}
