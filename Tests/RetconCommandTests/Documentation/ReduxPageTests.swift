import Platform
import Testing

@testable import RetconCommand

/// Does what the pages say, word by word.
@Suite("The pages on Redux and on hosts", .enabled(if: ReducerFiles.hasNode))
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

  @Test("the host for node is a library")
  func library() async throws {
    _ = await runner.run("host", "--write", "node", "-o", "$/retcon-host.mjs")
    let trim = "retcon trim export.json --range .. -o session.retcon"
    #expect(hosts.text.contains(trim))
    _ = await runner.run(Page.words(trim[...], in: "$"))
    _ = try runner.write(try #require(hosts.blocks("js").first), as: "script.mjs")
    let status = try Subprocess.run(
      "/bin/sh", ["-c", "cd \"$0\" && node script.mjs > printed", runner.folder])
    #expect(status == 0)
    #expect(
      try runner.text(of: "$/printed")
        == "3 steps, 0 differ\n{\"items\":[12],\"total\":-8}\n")
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
