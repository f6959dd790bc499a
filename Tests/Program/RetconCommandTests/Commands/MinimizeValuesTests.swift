import TestSupport
import Testing

@testable import RetconCommand

@Suite("The values of a smallest session", .needs(.node))
struct MinimizeValuesTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func smallest(_ options: [String] = []) async throws -> CommandRunner.Answer {
    let reducer = """
      const sum = (cart) => cart.reduce((all, { price }) => all + price, 0);
      const priced = (s) => ({ ...s, total: sum(s.cart) - (s.coupon?.worth ?? 0) });
      export default (s = { cart: [], coupon: null, total: 0 }, { type, id, price, ...coupon }) => {
        if (type === 'added') return priced({ ...s, cart: [...s.cart, { id, price }] });
        if (type === 'removed') return priced({ ...s, cart: s.cart.filter((one) => one.id !== id) });
        return sum(s.cart) < coupon.minimum ? s : priced({ ...s, coupon });
      };
      """
    let actions = """
      {"type":"added","id":"desk","price":129}
      {"type":"coupon","worth":60,"minimum":100}
      {"type":"removed","id":"desk"}

      """
    return await runner.run(
      [
        "minimize", try runner.write(actions, as: "shop.jsonl"), "--rule", "state.total >= 0",
        "--reducer", try runner.write(reducer, as: "shop.mjs"),
      ] + options)
  }

  @Test("are the recorded ones, and each is judged beside the others as they were recorded")
  func recorded() async throws {
    let answer = try await smallest()
    #expect(
      answer.data.hasPrefix(
        """
        1        added {id: "desk", price: 129}
             id may differ: with "" it happens, too, equal to the one in 3
             price matters: with 101 it happens, with 99 not
        2        coupon {worth: 60, minimum: 100}
             worth matters: with 1 it happens, with 0 not
             minimum may differ: with 0 it happens, too
        """), "\(answer.data)")
  }

  @Test("are the simplest on request, and each is judged beside the others as they are at the end")
  func simplest() async throws {
    let answer = try await smallest(["--simplify"])
    // A price below the coupon's worth would be another failure, so 1 is in use.
    #expect(
      answer.data.hasPrefix(
        """
        1  ≠?    added {id: "", price: 2}
             id may differ: with "" it happens, too, equal to the one in 3
             price matters: with 2 it happens, with 0 not
        2  ≠?    coupon {worth: 1, minimum: 0}
             minimum may differ: with 0 it happens, too
             worth matters: with 1 it happens, with 0 not
        """), "\(answer.data)")
  }
}
