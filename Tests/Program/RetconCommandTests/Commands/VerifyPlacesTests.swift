import Platform
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("What retcon verify leaves out, groups and names", .needs(.node))
struct VerifyPlacesTests {
  private let runner: CommandRunner

  /// A cart whose states are recorded, and an edited reducer: it stamps otherwise in each step, and
  /// counts coupons twice.
  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      export default (s = { total: 0, coupons: 0, stamp: { at: 0 } }, a) => {
        const next = { ...s, stamp: { at: s.stamp.at + 1 } };
        if (a.type === 'add') return { ...next, total: s.total + a.price };
        return a.type === 'coupon' ? { ...next, coupons: s.coupons + 1 } : next;
      };
      """, as: "cart.mjs")
    let edited = try runner.text(of: "$/cart.mjs")
      .replacing("s.stamp.at + 1", with: "s.stamp.at + 2")
      .replacing("s.coupons + 1", with: "s.coupons + 2")
    _ = try runner.write(edited, as: "edited.mjs")
    let actions = (1...30).map { number in
      number.isMultiple(of: 10) ? #"{"type":"coupon"}"# : #"{"type":"add","price":\#(number)}"#
    }
    _ = try runner.write(actions.joined(separator: "\n"), as: "cart.jsonl")
  }

  private func verify(_ words: String...) async throws -> CommandRunner.Answer {
    _ = await runner.run(
      "fork", "$/cart.jsonl@30", "--send", #"{"type":"end"}"#, "-o", "$/cart.retcon", "--reducer",
      "$/cart.mjs")
    return await runner.run(
      ["verify", "$/cart.retcon", "--reducer", "$/edited.mjs"] + words)
  }

  @Test("--ignore leaves out a place and what is below it, and goes on to the next difference")
  func ignore() async throws {
    let plain = try await verify()
    #expect(plain.status == .no && plain.data.contains("differs from step 1 on"), "\(plain)")
    let ignored = try await verify("--ignore", "stamp")
    #expect(ignored.status == .no, "\(ignored)")
    #expect(ignored.data.contains("differs from step 10 on"), "\(ignored)")
    #expect(!ignored.data.contains("/stamp") && ignored.data.contains("/coupons"), "\(ignored)")
    #expect(ignored.data.contains("28 steps differ only at what --ignore names: stamp"))
    let all = try await verify("--ignore", "stamp.at", "--ignore", "coupons")
    #expect(all.status == .yes, "\(all)")
    // A value above an ignored place counts.
    let below = try await verify("--ignore", "stamp.at.hour", "--ignore", "coupons")
    #expect(below.data.contains("differs from step 1 on"), "\(below)")
  }

  @Test("--all shows each finding where it is first, and the other steps that have it")
  func grouped() async throws {
    let all = try await verify("--all", "--ignore", "stamp")
    #expect(all.data.contains("step 10  coupon"), "\(all)")
    #expect(!all.data.contains("step 20  coupon"), "\(all)")
    #expect(
      all.data.contains("“coupon: different state at /coupons” also at steps 20, 30"), "\(all)")
    let many = try await verify("--all")
    #expect(
      many.data.contains("also at steps 2, 3, 4, 5, 6, 7 and 20 more"), "\(many)")
  }

  @Test("with --rule, the first difference in what the rule asks about is named")
  func rule() async throws {
    let answer = try await verify("--rule", "state.coupons < 9")
    #expect(answer.data.contains("differs from step 1 on"), "\(answer)")
    #expect(
      answer.data.contains(
        "what state.coupons < 9 asks about differs first at step 10, in coupons"), "\(answer)")
    let other = try await verify("--rule", "state.total >= 0")
    #expect(
      other.data.contains("no difference is in what state.total >= 0 asks about"), "\(other)")
  }

  @Test("with a rule that is a function, the first other answer is named")
  func function() async throws {
    _ = try runner.write(
      """
      export const few = (state) => state.coupons < 4 || 'too many coupons';
      export const dated = (state) => state.stamp.at > 0;
      """, as: "rules.mjs")
    let answer = try await verify("--rule", "'$/rules.mjs'#few", "--ignore", "stamp")
    #expect(
      answer.data.contains(
        "#few differs first at step 20: it holds in the recording, and is broken with this reducer"),
      "\(answer)")
    let same = try await verify("--rule", "'$/rules.mjs'#dated")
    #expect(
      same.data.contains("#dated holds, or is broken, at the same steps with this reducer"),
      "\(same)")
  }
}
