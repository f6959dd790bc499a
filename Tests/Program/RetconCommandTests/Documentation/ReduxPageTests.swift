import Platform
import TestSupport
import Testing

@testable import RetconCommand

/// Does what the pages say, word by word.
@Suite("The pages on Redux and on hosts", .needs(.node))
struct ReduxPageTests {
  private let runner: CommandRunner
  private let redux: Page
  private let hosts: Page

  init() throws {
    runner = try CommandRunner()
    redux = try Page("redux.md")
    hosts = try Page("hosts.md")
    _ = try runner.write(try #require(redux.blocks("json").first), as: "export.json")
    _ = try runner.write(try #require(redux.blocks("js").first), as: "cart.mjs")
    _ = try runner.write(try #require(hosts.blocks("python").first), as: "cart.py")
  }

  @Test("the export opens, and says what to type to get states")
  func looking() async throws {
    let words = try redux.command("retcon export.json", in: "$")
    #expect(words == ["$/export.json"])
    let answer = await runner.run(["open", "$/export.json@2", "--print", "240x30"])
    #expect(answer.data.contains("retcon $/export.json --reducer FILE.js"), "\(answer)")
    #expect(answer.data.contains("coupon"))
    let ascii = await runner.run(["open", "$/export.json@2", "--print", "80x24", "--ascii"])
    #expect(ascii.data.contains("coupon") && ascii.data.utf8.allSatisfy { $0 < 128 }, "\(ascii)")
  }

  @Test("with the reducer it has states")
  func reducer() async throws {
    let words = try redux.command("retcon export.json --reducer", in: "$")
    #expect(words == ["$/export.json", "--reducer", "$/cart.mjs"])
    let answer = await runner.run(
      ["open", "$/export.json@2"] + words.dropFirst() + ["--print", "240x30"])
    #expect(answer.data.contains("12 → -8"), "\(answer)")
  }

  @Test("verify says that there are no states to compare")
  func verify() async throws {
    let answer = await runner.run(try redux.command("retcon verify", in: "$"))
    #expect(answer.status == .trouble)
    #expect(answer.data.contains("the file holds no states"))
  }

  @Test("converted, it has the states that the reducer computed")
  func converted() async throws {
    let answer = await runner.run(try redux.command("retcon convert", in: "$"))
    #expect(answer == .init(status: .yes))
    #expect(try runner.text(of: "$/lifted.json").contains(#"{"state":{"items":[12],"total":-8}}"#))
  }

  @Test("the whole host of the page does what is asked of it", .needs(.python))
  func wholeHost() async throws {
    let whole = hosts.blocks("python")[1]
    #expect(whole.split(separator: "\n").count < 28)
    _ = try runner.write(whole, as: "whole.py")
    let answer = await runner.run(
      ["host", "--check", "python3 \(runner.folder)/whole.py", "$/export.json"])
    #expect(answer.status == .yes, "\(answer)")
    let found = await runner.run(
      ["find", "$/export.json", "state.total > 15", "--host", "python3 \(runner.folder)/whole.py"])
    #expect(found.data.hasPrefix("3"), "\(found)")
  }

  @Test("what was a library is a call of the program")
  func library() async throws {
    let answer = await runner.run(
      "verify", "$/export.json", "--reducer", "$/cart.mjs", "--json")
    #expect(answer.data.contains(#""steps":3"#), "\(answer)")
  }

  @Test("both hosts are written, and the one in Python does what is asked of it")
  func written() async throws {
    let node = try hosts.command("retcon host --write node", in: "$")
    let file = runner.folder + "/retcon-host.mjs"
    #expect(await runner.run(node + ["-o", file]).status == .yes)
    let python = try hosts.command("retcon host --write python", in: "$")
    #expect(await runner.run(python + ["-o", "$/retcon_host.py"]).status == .yes)
    var check = try hosts.command("retcon host --check", in: "$")
    check[check.count - 1] = "$/export.json"
    let answer = await runner.run(check)
    #expect(answer.status == .yes, "\(answer)")
    let checkNode = ["host", "--check", "node \(file) \(runner.folder)/cart.mjs", "$/export.json"]
    #expect(await runner.run(checkNode).status == .yes)
  }
}
