import StoreCore
import StoreTesting
import Testing

@Suite struct StepScriptTests {
  func facts(_ values: inout DependencyValues) {
    values.factClient.fact = { "\($0) is a good number." }
  }

  @Test("a script that goes as written passes")
  func passes() async {
    await assert(
      initialValue: Facts.State(), reducer: Facts(), withDependencies: facts,
      steps:
        Step(.send, .incremented) { $0.count = 1 },
      Step(.send, .noticed),
      Step(.send, .factTapped) { $0.isLoading = true },
      Step(.receive, .factResponse("1 is a good number.")) {
        $0.isLoading = false
        $0.fact = "1 is a good number."
      },
      Step(.send, .twice) { $0.count = 2 },
      Step(.receive, .incremented) { $0.count = 3 },
      Step(.receive, .noticed)
    )
  }

  @Test("effects by hand send what the script says, and end with it")
  func byHand() async {
    let line: UInt = #line + 10
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(), withDependencies: { $0.effects = .byHand },
        steps: Step(.send, .factTapped) { $0.isLoading = true },
        Step(.receive, .factResponse("made up"), from: .last("fact")) {
          $0.isLoading = false
          $0.fact = "made up"
        },
        Step(.send, .timerStarted),
        Step(end: "timer"),
        Step(end: "timer")
      )
    }
    #expect(lines(failures, from: line) == ["1: No effect “timer” is in flight. None is."])
  }

  @Test("an action sent while something is pending fails at its line, and the script goes on")
  func sentWhilePending() async {
    let line: UInt = #line + 5
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(), withDependencies: facts,
        steps:
          Step(.send, .twice) { $0.count = 1 },
        Step(.send, .incremented) { $0.count = 3 },
        Step(.send, .timerStarted),
        Step(.send, .incremented) { $0.count = 4 }
      )
    }
    #expect(
      lines(failures, from: line) == [
        """
        1: An action is sent while these are pending:

        • .incremented was not received
        • .noticed was not received
        """,
        """
        3: An action is sent while this is pending:

        • The effect “timer” (Facts.swift:55) runs
        """,
      ])
  }

  @Test("what is left at the end fails at the lines of the steps that set it off")
  func leftAtEnd() async {
    let line: UInt = #line + 4
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(), withDependencies: facts,
        steps: Step(.send, .incremented) { $0.count = 1 },
        Step(.send, .factTapped) { $0.isLoading = true },
        Step(.receive, .factResponse("1 is a good number.")) {
          $0.isLoading = false
          $0.fact = "1 is a good number."
        },
        Step(.send, .startingTwice) { $0.count = 2 },
        Step(.receive, .incremented) { $0.count = 3 }
      )
    }
    #expect(
      lines(failures, from: line) == [
        """
        6: The script ends while these are pending:

        • .noticed was not received
        • .timerStarted was not received
        • The effect “timer” (Facts.swift:55) runs
        """
      ])
  }

  @Test("a receive with nothing pending fails at its line")
  func nothingPending() async {
    let line: UInt = #line + 5
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(),
        steps:
          Step(.receive, .noticed),
        Step(.send, .incremented) { $0.count = 1 }
      )
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: Nothing was received, and no effect is running that could send anything.

        − .noticed
        """
      ])
  }

  @Test("a wrong action and a wrong state fail at the lines of their steps")
  func wrong() async {
    let line: UInt = #line + 6
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(),
        steps:
          // The line of the first step is the one after this.
          Step(.send, .twice) { $0.count = 7 },
        Step(.receive, .ticked) { $0.count = 2 },
        Step(.receive, .noticed)
      )
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The state is not as expected (− expected, + actual):

          Facts.State(
        −   count: 7
        +   count: 1
            … (2 unchanged)
          )
        """,
        """
        1: Another action was received (− expected, + received):

        − .ticked
        + .incremented
        """,
      ])
  }

  @Test("an empty script fails nothing")
  func empty() async {
    await assert(initialValue: Facts.State(), reducer: Facts())
  }
}
