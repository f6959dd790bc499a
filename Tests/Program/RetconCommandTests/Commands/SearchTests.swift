import Platform
import Samples
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("retcon why and retcon explore")
struct SearchTests {
  private let runner: CommandRunner
  private let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample wishes"]

  init() async throws {
    runner = try CommandRunner()
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
  }

  @Test("why tells the chain with what each link is worth, and keeps the session without it")
  func why() async throws {
    let answer = await runner.run(
      ["why", "$/wishes.retcon@5", "--until", "state.destination.alert", "--name", "no alert"]
        + host)
    #expect(answer.status == .yes, "\(answer)")
    let lines = answer.data.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("5 wishesResponse  sent by fetchWishes, started at 4: necessary"))
    #expect(lines[1].hasPrefix("  ← 4 discoverWishesTapped  sent by the user: necessary"))
    #expect(answer.data.contains("Without 5 wishesResponse it does not happen.\n"))
    let branches = await runner.run("branches", "$/wishes.retcon")
    #expect(branches.data.contains("no alert"))
    #expect(branches.data.contains("Without 5 wishesResponse it does not happen."))
    let json = await runner.run(
      ["why", "$/wishes.retcon@5", "--until", "state.destination.alert", "--json"] + host)
    let value = try Value(parsing: Array(json.data.utf8))
    #expect(value["links"]?[0]?["mark"] == "necessary")
    #expect(value["curve"]?[1] == ["after": 5, "happened": 1, "tried": 1])
    #expect(value["jump"] == ["from": 0, "to": 5] && value["sealedAt"] == 5)
  }

  @Test("a path is taken as the debugger shows it, without unnamed payloads")
  func shownPaths() async throws {
    let place = "destination.submit.isSaving"
    let found = await runner.run("find", "$/wishes.retcon", "state.\(place)")
    #expect(found.status == .yes && !found.data.isEmpty, "\(found)")
    let blame = await runner.run("blame", "$/wishes.retcon@14", place)
    #expect(blame.status == .yes && blame.data.contains("submit.save"), "\(blame)")
    let watch = await runner.run("watch", "$/wishes.retcon", place)
    #expect(watch.status == .yes && watch.data.contains("true"), "\(watch)")
    let why = await runner.run(["why", "$/wishes.retcon@13", place] + host)
    #expect(why.status == .yes && why.data.contains("submit.save"), "\(why)")
    let fork = await runner.run(["fork", "$/wishes.retcon@13", "--set", "\(place)=false"] + host)
    #expect(fork.data.contains("/destination/submit/_0/isSaving"), "\(fork)")
  }

  @Test("a value has the same cause at each step that keeps it, and none if it was there first")
  func laterStep() async throws {
    let place = "destination.submit.message"
    let first = await runner.run(["why", "$/wishes.retcon@14", place] + host)
    #expect(first.data.hasPrefix("14 destination.presented.submit.saveWishResponse  "), "\(first)")
    let later = await runner.run(["why", "$/wishes.retcon@15", "/destination"] + host)
    #expect(later.data.hasPrefix("15 destination.presented.submit.wishSelected"), "\(later)")
    let kept = await runner.run(["why", "$/wishes.retcon@15", "name"] + host)
    #expect(kept == (await runner.run(["why", "$/wishes.retcon@9", "name"] + host)), "\(kept)")
    let start = await runner.run(["why", "$/wishes.retcon@5", "path"] + host)
    #expect(start.messages.contains("it holds in the first state already"), "\(start)")
  }

  @Test("explore finds that the button waits for ever when an answer never comes")
  func explore() async throws {
    let answer = await runner.run(
      [
        "explore", "$/wishes.retcon@9", "--until", "state.destination == null && step == 11",
        "--json",
      ] + host)
    #expect(answer.status == .no, "\(answer)")
    #expect(answer.data.contains(#""hits":[{"name":""#))
    let none = await runner.run(
      ["explore", "$/wishes.retcon@9", "--rule", "state.name != 'nobody'"] + host)
    #expect(none.status == .yes)
    #expect(none.data.contains("the rule breaks in 0"))
    let stopped = await runner.run(
      ["explore", "$/wishes.retcon@9", "--rule", "state.name != 'nobody'", "--runs", "2"] + host)
    #expect(stopped.status == .trouble)
    #expect(stopped.data.contains("not complete: the search was stopped (runs)"), "\(stopped)")
  }

  @Test(
    "why is a guess if a fork that it ran, the fork that it asks about, or a value is one",
    .needs(.node))
  func trust() async throws {
    _ = try runner.write(
      """
      export default (state = { total: 0 }, action) =>
        action.type === 'added' ? { total: state.total + action.price }
        : action.type === 'coupon' ? { total: state.total - action.amount } : state;
      """, as: "cart.mjs")
    _ = try runner.write(
      #"""
      {"payload":"[{\"type\":\"added\",\"price\":12},{\"type\":\"coupon\",\"amount\":20},{\"type\":\"other\",\"card\":4}]"}
      """#, as: "export.json")
    func why(_ words: String...) async -> String {
      let answer = await runner.run(["why"] + words + ["--reducer", "$/cart.mjs"])
      return String(answer.data.split(separator: "\n").last ?? "") + answer.messages
    }
    let guess = "; a guess: Retcon does not see which effects this reducer starts"
    #expect(await why("$/export.json@2", "total").hasSuffix(guess))
    let fork = await runner.run(
      "fork", "$/export.json@1", "--skip", "--name", "less", "--reducer", "$/cart.mjs")
    #expect(fork.status == .no, "\(fork)")
    #expect(await why("$/export.json@less/1", "total").hasSuffix(guess))
    let trim = await runner.run(
      "trim", "$/export.json", "--range", "..", "--redact-key", "card", "-o", "$/less.retcon")
    #expect(trim.status == .yes, "\(trim)")
    let redacted = await why(
      "$/less.retcon@3", "--until", "state.total < 0 && step == 3", "--known")
    #expect(redacted.contains("the session has redacted values"), "\(redacted)")
  }

  @Test("both say what they lack")
  func troubles() async throws {
    let why = await runner.run(["why", "$/wishes.retcon@11"] + host)
    #expect(why.messages.contains("Name a place"), "\(why)")
    let explore = await runner.run(["explore", "$/wishes.retcon"] + host)
    #expect(
      explore.messages
        == "retcon: --rule is missing. Write --rule 'state.total >= 0'.\n")
  }
}
