import Platform
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("Commands")
struct CommandTests {
  @Test("--version and --help answer on standard output")
  func overview() async throws {
    let runner = try CommandRunner()
    #expect(await runner.run("--version") == .init(status: .yes, data: "retcon \(version)\n"))
    let help = await runner.run("--help")
    #expect(help.status == .yes)
    #expect(help.data.contains("  trim         keep some steps of a session\n"))
    #expect(!help.data.contains("serve-sample"))
  }

  @Test("make install puts the program, its page and its completions where they are found")
  func install() async throws {
    let runner = try CommandRunner()
    let root = String(#filePath.split(separator: "Tests/Program/RetconCommandTests")[0])
    let status = try Subprocess.run(
      "make",
      [
        "-C", root, "-o", "build", "install", "PREFIX=\(runner.folder)",
        "BUILT=\(BuiltProgram.path("retcon"))",
      ], input: "")
    #expect(status == 0)
    #expect(access("\(runner.folder)/bin/retcon", X_OK) == 0)
    let page = try runner.text(of: "$/share/man/man1/retcon.1")
    #expect(page == (await runner.run("man").data))
    #expect(page.utf8.count == page.unicodeScalars.count, "all is ASCII")
    let completions = [
      ("bash", "bash-completion/completions/retcon"), ("zsh", "zsh/site-functions/_retcon"),
      ("fish", "fish/vendor_completions.d/retcon.fish"),
    ]
    for (shell, path) in completions {
      let text = try runner.text(of: "$/share/\(path)")
      #expect(text == (await runner.run("completions", shell).data) && text.contains("minimize"))
    }
    for command in CommandTable.standard.commands.map({ $0.declaration }) {
      #expect(page.contains("\n.SS \(command.name)") == !command.isHidden, "\(command.name)")
    }
  }

  @Test("no words at all give the help, as trouble")
  func nothing() async throws {
    let answer = try await CommandRunner().run()
    #expect(answer.status == .trouble)
    #expect(answer.messages.hasPrefix("Retcon opens the recorded session"))
  }

  @Test("each command explains itself")
  func commandHelp() async throws {
    let expected = """
      mark a step, or list the marks

      Usage: retcon mark FILE[@[BRANCH/]STEP [NOTE]]

      Marks are kept beside the session, with the forks; the session is not changed.

      Options:
            --json        one JSON object a line
            --color WHEN  auto: on a terminal, unless NO_COLOR is set
        -d, --remove      remove the mark
        -h, --help        this text

      """
    let runner = try CommandRunner()
    #expect(await runner.run("mark", "--help").data == expected)
    #expect(await runner.run("help", "mark").data == expected)
  }

  @Test("the page for agents names every command that asks a session something")
  func skill() async throws {
    let page = try await CommandRunner().run("skill").data
    for name in ["info", "find", "steps", "state", "blame", "show", "fork", "test", "verify"] {
      #expect(page.contains("\n- `retcon \(name) "), "\(name)")
    }
    let runner = try CommandRunner()
    _ = await runner.run("skill", "--write", "$/skills")
    #expect(try runner.text(of: "$/skills/retcon/SKILL.md") == page)
    #expect(!page.contains("serve-sample") && page.split(separator: " ").count < 900)
  }

  @Test(
    "trouble is one clear sentence and exit status 2",
    arguments: [
      (["$/none.retcon"], "retcon: $/none.retcon: there is no such file. Check the name.\n"),
      (["$"], "retcon: $: this is a folder, not a session. Name a file in it.\n"),
      (
        ["opne", "x"],
        "retcon: there is no command and no file named opne. Try open.\n"
      ),
      (
        ["nonsense"],
        "retcon: there is no command and no file named nonsense. retcon --help lists the commands.\n"
      ),
      (["infp", "x"], "retcon: there is no command and no file named infp. Try info.\n"),
      (["info"], "retcon: info needs a file. Write retcon info FILE.\n"),
      (
        ["info", "a", "b"],
        "retcon: info takes one file, and there is also b. Quote names with spaces.\n"
      ),
      (["demo", "nope"], "retcon: there is no sample named nope. There are "),
      (["demo", "wshes"], "retcon: there is no sample named wshes. Try wishes.\n"),
      (["completions", "bsh"], "retcon: there are no completions for bsh. Write bash.\n"),
      (
        ["convert", "$/x.json", "--to", "redx"],
        "retcon: there is no format named redx. Write --to redux.\n"
      ),
      (
        ["open", "x.retcon", "--print", "80"],
        "retcon: 80 is no size of a frame. Write WIDTHxHEIGHT, for example 80x24.\n"
      ),
      (
        ["open", "x.retcon", "--host", "a 'b"],
        "retcon: --host is not a command: a quote is open, or it is empty. "
          + "Write --host as you would type the command.\n"
      ),
    ])
  func trouble(words: [String], sentence: String) async throws {
    let runner = try CommandRunner()
    let answer = await runner.run(words)
    #expect(answer.status == .trouble)
    #expect(answer.data == "")
    #expect(answer.messages.hasPrefix(sentence))
  }

  @Test("a file that is empty, binary, foreign or newer says what was found and what to do")
  func badFiles() async throws {
    let runner = try CommandRunner()
    let empty = try runner.write("", as: "empty.retcon")
    #expect(
      await runner.run(empty).messages
        == "retcon: $/empty.retcon: the file is empty. Nothing was recorded; check that the app "
        + "called the recorder and finished it.\n")
    let newer = try runner.write("{\"retcon\":\"9.0\"}\n", as: "newer.retcon")
    #expect(
      await runner.run(newer).messages
        == "retcon: $/newer.retcon, line 1: the session has format 9.0, this program reads format "
        + "1. Update retcon.\n")
    let text = try runner.write("Dear \u{1B}]0;diary\u{7},\n", as: "text.retcon")
    let answer = await runner.run(text)
    #expect(answer.messages.hasPrefix("retcon: $/text.retcon, line 1: this is not a session: "))
    #expect(!answer.messages.contains("\u{1B}"))
  }

  @Test("a trimmed range opens again with the same states")
  func trim() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    #expect(
      await runner.run("trim", file, "--range", "5..9", "-o", "$/part.retcon")
        == .init(status: .yes, messages: "$/part.retcon: 5 steps, 5 to 9\n"))
    let info = await runner.run("info", "$/part.retcon", "--json")
    #expect(info.data.contains(#""steps":5,"first":5"#))
    let whole = await runner.run("open", file + "@9", "--print", "80x24").data
    let part = await runner.run("open", "$/part.retcon@9", "--print", "80x24").data
    #expect(whole.contains("isTimerOn  false → true"))
    #expect(part.contains("isTimerOn  false → true"))
  }

  @Test("-o - is standard output: the file alone, and what is to be said on standard error")
  func standardOutput() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    _ = await runner.run("trim", file, "--range", "5..9", "-o", "$/part.retcon")
    let run = try ProgramRun(
      ["trim", file.replacing("$", with: runner.folder), "-r", "5..9", "-o", "-"], talks: false)
    #expect(run.status == 0)
    #expect(try run.text == runner.text(of: "$/part.retcon"))
    let demo = try ProgramRun(["demo", "wishes", "-o", "-"], talks: false)
    #expect(demo.status == 0)
    #expect(demo.text.hasPrefix("{\"retcon\":"))
    #expect(demo.text.hasSuffix("}\n"))
    let failed = try ProgramRun(
      ["trim", file.replacing("$", with: runner.folder), "-r", "500..", "-o", "-"], talks: false)
    #expect(failed.status == 2)
    #expect(failed.text == "")
  }

  @Test("two positions of standard input are read at once; a second reading finds nothing")
  func standardInput() async throws {
    let runner = try CommandRunner()
    let lines = (1...2).map { #"{"action":{"type":"i"},"state":{"n":\#($0)}}"# + "\n" }.joined()
    let file = try runner.write(lines, as: "n.jsonl")
    func answer(_ words: String, from other: String? = nil) throws -> String {
      let (out, file) = ("$/out", other ?? file)
      let command = "'\(BuiltProgram.path("retcon"))' \(words) < '\(file)' > '\(out)' 2>&1"
      _ = try Subprocess.run(
        "sh", ["-c", command.replacing("$", with: runner.folder)], input: "")
      return try runner.text(of: out)
    }
    #expect(try answer("diff -@1 -@2") == "~ n  1 → 2\n")
    #expect(try answer("diff - -") == "")
    let list = try runner.write(#"[{"type":"a"}]"#, as: "list.json")
    for words in ["show -", "- --print 100x30"] {
      #expect(try answer(words, from: list).contains(" retcon - --reducer FILE.js"))
    }
    #expect(try answer("verify - - --host true").contains("-: standard input is empty. Pipe a"))
  }

  @Test("two hosts are one too many")
  func twoHosts() async throws {
    let runner = try CommandRunner()
    let answer = await runner.run("verify", "$/a.retcon", "--host", "a", "--host", "b")
    #expect(answer.status == .trouble)
    #expect(
      answer.messages
        == "retcon: --host is given 2 times, and a session has one host. Leave out all but one.\n"
    )
    #expect(
      await runner.run("verify", "$/a.retcon", "--host", "make && ./Host").messages
        == "retcon: “&&” needs a shell, and none is started for --host. Put the command "
        + "into a script, and name the script's path.\n")
  }

  @Test("trimming names the steps there are, and keeps a file that exists")
  func trimTrouble() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    #expect(
      await runner.run("trim", file, "-r", "30..99", "-o", "$/part.retcon").messages
        == "retcon: $/counter.retcon: there is no step 99, the steps are 0 to 34.\n")
    #expect(
      await runner.run("trim", file, "-r", "3..", "-o", file).messages
        == "retcon: $/counter.retcon: a file of this name exists. Choose another name or remove it "
        + "first.\n")
    #expect(
      await runner.run("trim", file, "-r", "3..", "-o", file, "-f").messages
        == "retcon: $/counter.retcon: this would overwrite the session itself. Write to "
        + "another name.\n")
    #expect(
      await runner.run("trim", file, "-r", "0..0", "-o", "$/part.retcon").messages
        == "retcon: step 0 is what the session starts with: it has no action. Write a range that "
        + "ends with 1 or later.\n")
    #expect(
      await runner.run("trim", file, "-r", "5..5", "-o", "$/part.retcon").messages
        == "$/part.retcon: 1 step, 5\n")
    #expect(await runner.run("info", file).status == .yes)
  }

  @Test("without a terminal one frame is printed, at the step that was asked for")
  func printed() async throws {
    let runner = try CommandRunner()
    let answer = await runner.run(await runner.recordCounter() + "@3")
    #expect(answer.status == .yes)
    #expect(answer.data.split(separator: "\n").count == 24)
    #expect(answer.data.contains("▸ 3 +380ms   incrementTapped"))
    #expect(answer.data.contains("count  2 → 3"))
  }

  @Test("a step that is not there is named with those that are")
  func noStep() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    #expect(
      await runner.run(file + "@99").messages
        == "retcon: $/counter.retcon: there is no step 99, the steps are 0 to 34.\n")
  }

  @Test("effects counts those apart that a fork starts itself")
  func ownEffects() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"]
    _ = await runner.run(
      ["fork", file + "@3", "--send", #"{"factTapped":{}}"#, "--name", "asked"] + host)
    let words = ["effects", file, "--branch", "asked"] + host
    let lines = await runner.run(words).data.split(separator: "\n")
    #expect(lines.first?.hasPrefix("own 1  4 → 5  fact  finished after 800 ms") == true)
    #expect(lines.dropFirst().first?.hasPrefix("1  6 → 7  fact") == true)
    let json = await runner.run(words + ["--json"]).data
    #expect(
      json.hasPrefix(
        #"{"effect":1000000001,"name":"fact","started":4,"own":1,"time":2.2,"ended":5,"#))
  }

  @Test("what an effect read is told once, however many actions it sent")
  func readsOfEffect() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(
      """
      {"retcon":"1.0","session":"s","can":"browse","tape":["post"],"state":0}
      {"step":1,"label":"sendTapped","action":1,"cause":"user"}
      {"effect":1,"event":"started","after":1,"from":1,"ordinal":1,"name":"post","file":"A","line":1}
      {"read":"post","effect":1,"after":1,"arguments":[1],"error":{"type":"E","description":"no"}}
      {"step":2,"label":"retrying","action":2,"cause":{"effect":1}}
      {"read":"post","effect":1,"after":2,"arguments":[1],"value":7}
      {"step":3,"label":"posted","action":3,"cause":{"effect":1}}

      """, as: "chat.retcon")
    #expect(
      await runner.run("reads", file).data == """
        2  effect 1  post(1)  ✗ {type: "E", description: "no"}
        3  effect 1  post(1)  7

        """)
  }

  @Test("a fork by a list of edits leaves before the first step that they are about")
  func listOfEdits() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"]
    let list = try runner.write(#"[{"edit":"move","step":3,"after":5}]"#, as: "edits.json")
    let fork = await runner.run(["fork", file + "@3", "--script", list, "--json"] + host)
    let moved = await runner.run(["fork", file + "@3", "--move", "2", "--json"] + host)
    #expect(fork == moved)
    #expect(fork.data.contains(#""step":3"#), "\(fork)")
  }
}
