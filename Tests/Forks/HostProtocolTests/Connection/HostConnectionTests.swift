import Platform
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import HostProtocol

/// Hosts written in a line of shell, so that no code of ours runs on the other side.
@Suite struct HostConnectionTests {
  static let greets = #"read l; echo '{"id":1,"answer":"greeting","version":[2,4],"name":"Toy"}'"#

  func host(
    _ lines: String..., patience: Duration = .seconds(60), timeToStart: Duration = .seconds(60)
  ) -> HostConnection {
    HostConnection(
      HostCommand("/bin/sh", ["-c", lines.joined(separator: "\n")]),
      limits: HostLimits(patience: patience, timeToStart: timeToStart))
  }

  let run = RunRequest(
    branch: BranchPath("fork", Script(leavesAt: 2)), from: 3)

  @Test("the host is started and greeted by the first request")
  func greeting() async throws {
    let host = host(Self.greets, "read l; read l")
    #expect(host.greeting == nil)
    try await host.start()
    let greeting = try #require(host.greeting)
    #expect(greeting.name == "Toy")
    #expect(greeting.version == ProtocolVersion(major: 2, minor: 4))
    #expect(!greeting.seesEffects)
    host.close()
  }

  @Test("steps arrive in order, before the report")
  func steps() async throws {
    let host = host(
      Self.greets, "read l",
      """
      for n in 3 4 5; do echo '{"id":2,"news":"step","step":{"step":'$n',"label":"add","action":1,\
      "cause":"user","standing":["recorded","equal"]}}'; done
      echo '{"id":2,"answer":"ran","report":{"lastStep":5,"ending":"complete"}}'; read l
      """)
    let numbers = Locked<[Int]>([])
    let report = try await host.run(run) { step in
      numbers.withLock { $0.append(step.step.number) }
    }
    #expect(numbers.withLock { $0 } == [3, 4, 5])
    #expect(report == BranchReport(lastStep: 5))
    host.close()
  }

  @Test(
    "a host of version 2.0 says by the label that a step sets the state, a newer one by `set`",
    arguments: [(0, "", true), (1, "", false), (1, #","set":{"pointer":"/n","value":1}"#, true)])
  func setState(minor: Int, member: String, isSet: Bool) async throws {
    let host = host(
      Self.greets.replacing("[2,4]", with: "[2,\(minor)]"), "read l",
      """
      echo '{"id":2,"news":"step","step":{"step":3,"label":"state set by hand",\
      "action":{"pointer":"/n","value":1}\(member),"standing":["edited","new"]}}'
      echo '{"id":2,"answer":"ran","report":{"lastStep":3,"ending":"complete"}}'; read l
      """)
    let parts = Locked<[SetPart?]>([])
    _ = try await host.run(run) { step in parts.withLock { $0.append(step.step.set) } }
    #expect(parts.withLock { $0 } == [isSet ? SetPart(["n"], value: 1) : nil])
    host.close()
  }

  @Test("who asks for a run while the session is being loaded, waits for it")
  func loading() async throws {
    let folder = try TemporaryFolder()
    let gate = folder("gate")
    try #require(mkfifo(gate, 0o600) == 0)
    let host = host(
      "read open < '\(gate)'", Self.greets,
      #"read l; case "$l" in *'"ask":"load"'*) ;; *) exit 3 ;; esac"#,
      #"echo '{"id":2,"answer":"loaded","steps":5,"grade":"fine"}'"#,
      #"read l; echo '{"id":3,"answer":"ran","report":{"lastStep":2,"ending":"complete"}}'; read l"#
    )
    async let loaded = host.load("/logs/cart.retcon")
    // Open for both, so that no thread waits here for the host.
    let opened = Platform.open(gate, O_RDWR | O_CLOEXEC)
    try #require(opened >= 0)
    defer { close(opened) }
    async let ran = host.run(run)
    #expect(Array("open\n".utf8).withUnsafeBytes { WholeTransfer.write($0, to: opened) })
    #expect(try await loaded == LoadReport(steps: 5, grade: .fine))
    #expect(try await ran == BranchReport(lastStep: 2))
    host.close()
  }

  @Test("runs/crash: a host that dies ends the branch at its step, with its last words")
  func death() async throws {
    let host = host(
      Self.greets, "read l",
      #"echo '{"id":2,"news":"step","step":{"step":3,"label":"add","action":1,"#
        + #""cause":"user","standing":["recorded","equal"]}}'"#,
      #"echo '{"id":2,"news":"dying","step":4,"words":"signal"}'"#,
      "echo 'App/Cart.swift:3: Fatal error: Index out of range' >&2; echo 'at …' >&2",
      "kill -ILL $$")
    let report = try await host.run(run)
    #expect(
      report
        == BranchReport(
          lastStep: 3,
          ending: .init(4, .crashed, "App/Cart.swift:3: Fatal error: Index out of range"))
    )
    #expect(
      host.trouble?.failure.what
        == "the host ended with signal 4 (SIGILL): App/Cart.swift:3: Fatal error: Index out of range"
    )
  }

  @Test("runs/crash: a host that leaves in the middle of a step is a crash at that step, too")
  func exit() async throws {
    let host = host(Self.greets, "read l; echo leaving >&2; exit 3")
    #expect(
      try await host.run(run)
        == BranchReport(lastStep: 2, ending: .init(3, .crashed, "leaving")))
    guard case .died(let death)? = host.trouble?.failure else {
      Issue.record("the end is not known")
      return
    }
    #expect(death.exit == .status(3))
  }

  @Test("runs/crash: a reducer that hangs is named by its step and its host is ended")
  func hang() async throws {
    let host = host(
      Self.greets, "read l",
      #"while read l; do echo '{"id":0,"answer":"whereabouts","step":7}'; done"#,
      patience: .seconds(3))
    #expect(try await host.run(run) == BranchReport(lastStep: 2, ending: .init(7, .timedOut)))
    #expect(host.greeting == nil)
  }

  @Test("runs/crash: a host that said that it crashed has not hung while it writes down where")
  func slowDeath() async throws {
    let host = host(
      Self.greets, "read l", "echo 'App/Cart.swift:3: Fatal error: Index out of range' >&2",
      #"read l; echo '{"id":0,"answer":"whereabouts","step":3}'; sleep 4; kill -ILL $$"#,
      patience: .seconds(3))
    #expect(
      try await host.run(run)
        == BranchReport(
          lastStep: 2,
          ending: .init(3, .crashed, "App/Cart.swift:3: Fatal error: Index out of range"))
    )
  }

  @Test("a host that does not answer at all is given up")
  func silence() async throws {
    let host = host(
      "trap '' TERM INT HUP", "while :; do sleep 1; done", timeToStart: .milliseconds(100))
    await #expect(throws: HostFailure.silent(request: "greet", for: .milliseconds(100))) {
      try await host.start()
    }
  }

  @Test(
    "the advice names the option that gives a request more time",
    arguments: [("greet", "start-time"), ("load", "start-time"), ("run", "patience")])
  func advice(request: String, option: String) {
    let next = HostFailure.silent(request: request, for: .seconds(5)).next
    #expect(next?.hasSuffix(" with --\(option)") == true)
  }

  @Test("after its end the next request starts it again, with the same session")
  func restart() async throws {
    let host = host(
      Self.greets,
      #"read l; case $l in *'"path":"/logs/a.retcon"'*) "#
        + #"echo '{"id":2,"answer":"loaded","steps":1,"grade":"fine"}';; esac"#,
      #"read l; case $l in *state*) echo '{"id":3,"answer":"state","state":5}';; esac"#)
    #expect(try await host.load("/logs/a.retcon") == LoadReport(steps: 1, grade: .fine))
    #expect(try await host.state(of: .main, after: 1) == 5)
    host.restart()
    #expect(try await host.state(of: .main, after: 1) == 5)
    host.restart()
  }

  @Test("another process has the same session, and its end leaves this one alone")
  func another() async throws {
    let host = host(
      Self.greets,
      #"read l; case $l in *'"path":"/logs/a.retcon"'*) "#
        + #"echo '{"id":2,"answer":"loaded","steps":1,"grade":"fine"}';; esac"#,
      #"for id in 3 4; do read l; echo '{"id":'$id',"answer":"state","state":'$$'}'; done; read l"#)
    try await host.load("/logs/a.retcon")
    let process = try await host.state(of: .main, after: 1)
    let other = HostConnection(host.command, limits: host.limits)
    await host.copySession(to: other)
    #expect(try await other.state(of: .main, after: 1) != process)
    other.restart()
    #expect(try await host.state(of: .main, after: 1) == process)
    host.end()
  }

  @Test("what is no message ends the talk with the words that were written")
  func garbage() async throws {
    let host = host("read l; echo 'Listening on port 80'; read l")
    let failure = await #expect(throws: HostFailure.self) { try await host.start() }
    #expect(failure?.what.hasSuffix("Listening on port 80") == true)
    #expect(failure?.next == "A host writes nothing but messages to standard output")
  }

  @Test("a line without an end is not collected for ever")
  func endlessLine() async throws {
    let host = HostConnection(
      HostCommand("/bin/sh", ["-c", "while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done"]),
      limits: HostLimits(message: 2 << 20))
    await #expect(throws: HostFailure.misspoke("a line of more than 2 MB")) {
      try await host.start()
    }
  }

  @Test("another major version is refused")
  func version() async throws {
    let host = host(
      #"read l; echo '{"id":1,"answer":"greeting","version":[3,0],"name":"Toy"}'; read l"#)
    await #expect(throws: HostFailure.incompatible(ProtocolVersion(major: 3, minor: 0))) {
      try await host.start()
    }
  }

  @Test("a program that does not exist is said so")
  func noProgram() async throws {
    let host = HostConnection(HostCommand("/no/such/host"))
    let failure = await #expect(throws: HostFailure.self) { try await host.start() }
    #expect(
      failure?.what
        == "the host `/no/such/host` could not be started (No such file or directory)")
  }

  @Test("a request that is cancelled is answered by the host and ends")
  func cancellation() async throws {
    let host = host(
      Self.greets, "read l",
      #"echo '{"id":2,"news":"progress","done":1,"of":9}'"#,
      #"while read l; do case $l in *'"ask":"cancel","request":2'*) "#
        + #"echo '{"id":2,"refusal":"cancelled","message":""}';; esac; done"#)
    try await host.start()
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let load = Task {
      try await host.load("/logs/a.retcon") { _, _ in begin.finish() }
    }
    for await _ in started {}
    load.cancel()
    await #expect(throws: HostFailure.cancelled) { try await load.value }
    host.close()
  }
}
