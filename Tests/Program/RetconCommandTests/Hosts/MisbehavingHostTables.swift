/// Floods, broken pipes and lies: the rest of the table of misbehaving hosts.
extension Misbehaviour {
  static let floods = [
    Misbehaviour(
      "a line without end", "begin; many 999999999 a", "not a message: a line of more than 64 MB"),
    Misbehaviour(
      "a line without end before it greets", "many 999999999 a", "a line of more than 64 MB"),
    Misbehaviour(
      "a smaller limit", "begin; many 9999999 a", "a line of more than 2 MB",
      options: ["--message-limit", "2"]),
    Misbehaviour(
      "two million pending effects",
      #"begin; printf '{"id":3,"answer":"verified","report":{"steps":34,"divergences":['; many 2000000 , ; say ']}}'"#,
      "one of more than 1048576 values"),
    Misbehaviour(
      "brackets", "begin; many 3000000 '['; say ''", "one of more than 1048576 values"),
    Misbehaviour(
      "deep brackets", "begin; many 100000 '['; say ''", "arrays and objects inside one another"),
    Misbehaviour(
      "a long refusal",
      #"begin; printf '{"id":3,"refusal":"other","message":"'; many 30000000 x; say '"}'; rest"#,
      "the host refused: xxxx"),
    Misbehaviour(
      "a long name",
      #"hear; printf '{"id":1,"answer":"greeting","version":[2,0],"name":"'; many 30000000 x; say '"}';"#
        + "load; hear; verified 34; rest",
      "all as recorded.", status: 0),
    Misbehaviour(
      "commas in a text are no values",
      #"begin; printf '{"id":3,"refusal":"other","message":"'; many 3000000 , ; say '"}'; rest"#,
      "the host refused: ,,,,"),
    Misbehaviour(
      "much on standard error", "begin; many 50000000 e >&2; verified 34; rest",
      "all as recorded.", status: 0),
    Misbehaviour(
      "much on standard error, then death",
      "begin; many 50000000 e >&2; echo >&2; echo 'the end' >&2; exit 4",
      "the host ended with exit status 4: the end"),
    Misbehaviour(
      "empty lines", "begin; many 5000000 '\\n'; verified 34; rest", "all as recorded.", status: 0),
    Misbehaviour(
      "controls for the terminal",
      #"begin; say '{"id":3,"refusal":"other","message":"\u001b[2J\u009b31m"}'; rest"#,
      "the host refused: ␛[2J"),
  ]

  static let pipes = [
    Misbehaviour(
      "it closes its output", "begin; exec 1>&-; stay",
      "the host closed its standard output and was stopped"),
    Misbehaviour(
      "it closes its output and says why", "begin; echo 'no room' >&2; exec 1>&-; stay",
      "the host closed its standard output and was stopped: no room"),
    Misbehaviour(
      "it closes its input",
      #"greet; say '{"id":2,"news":"progress","done":0,"of":1}' >/dev/null; exec 0<&-; "#
        + #"sleep 0.1; say '{"id":2,"answer":"loaded","steps":34,"grade":"fine"}'; stay"#,
      "the host closed its standard input and was stopped"),
    Misbehaviour(
      "it closes its standard error", "exec 2>&-; begin; sleep 0.3; verified 34; rest",
      "all as recorded.", status: 0),
    Misbehaviour(
      "it dies and what it started keeps its output", "begin; sleep 1000 & exit 5",
      "the host ended with exit status 5"),
  ]

  static let liars = [
    Misbehaviour(
      "id 0 is no answer", #"begin; say '{"id":0,"answer":"done"}'; verified 34; rest"#,
      "all as recorded.", status: 0),
    Misbehaviour(
      "it refuses what nobody waits for",
      #"begin; say '{"id":0,"refusal":"unknownRequest","message":"?"}'; verified 34; rest"#,
      "all as recorded.", status: 0),
    Misbehaviour(
      "a negative id", #"begin; say '{"id":-3,"answer":"done"}'"#,
      "“id” is -3, and no request with this id waits"),
    Misbehaviour(
      "the request before", #"begin; say '{"id":2,"answer":"loaded","steps":34,"grade":"fine"}'"#,
      "“id” is 2, and no request with this id waits"),
    Misbehaviour(
      "a report that is a list", #"begin; say '{"id":3,"answer":"verified","report":[]}'"#,
      "“report” is [], an object was expected, in what the host said about `verify`"),
    Misbehaviour(
      "no report", #"begin; say '{"id":3,"answer":"verified"}'"#, "“report” is missing"),
    Misbehaviour(
      "reads that are no words",
      #"begin; verified 34 ',"unattributedReads":[1]'"#,
      "“report.unattributedReads[0]” is 1, a string was expected"),
  ]

  static let whileForking = steps + reports

  private static let steps = [
    Misbehaviour("all is well", "begin; step 31; step 32; ran 32; rest", "32 complete"),
    Misbehaviour(
      "a gap", "begin; step 31; step 33",
      "“step.step” is 33, and the next step is 32, in what the host said about `run`"),
    Misbehaviour(
      "the wrong start", "begin; step 1", "“step.step” is 1, and the next step is 31"),
    Misbehaviour(
      "a step twice", "begin; step 31; step 31", "“step.step” is 31, and the next step is 32"),
    Misbehaviour(
      "backwards", "begin; step 31; step 30", "“step.step” is 30, and the next step is 32"),
    Misbehaviour("below zero", "begin; step -1", "“step.step” is -1"),
    Misbehaviour(
      "an absurd step", "begin; step 99999999999999999", "“step.step” is 99999999999999999"),
    Misbehaviour(
      "a step of the parent that does not exist", #"begin; step 31 ',"descendsFrom":35'"#,
      "“step.descendsFrom” is 35, and it lies between 0 and 34"),
    Misbehaviour(
      "a step of the parent below zero", #"begin; step 31 ',"descendsFrom":-1'"#,
      "“step.descendsFrom” is -1"),
    Misbehaviour(
      "an output of the future", #"begin; step 31 ',"cause":{"output":31}'"#,
      "“step.cause.output” is 31, and it lies between 0 and 30"),
    Misbehaviour(
      "an effect below zero", #"begin; step 31 ',"cause":{"effect":-4}'"#,
      #"“step.cause” is {"effect":-4}"#),
    Misbehaviour(
      "a cause that is none", #"begin; step 31 ',"cause":"moon"'"#, "“step.cause” is \"moon\""),
    Misbehaviour(
      "an effect's event in the future",
      #"begin; step 31 ',"effects":[{"effect":1,"event":"finished","after":40}]'"#,
      "“step.effects.after” is 40, and it lies between 0 and 31"),
    Misbehaviour(
      "an effect that starts after it started",
      #"begin; step 31 ',"effects":[{"effect":1,"event":"started","after":31,"from":32,"file":"f"}]'"#,
      "“step.effects.from” is 32, and it lies between 0 and 31"),
    Misbehaviour(
      "an effect with a number below zero",
      #"begin; step 31 ',"effects":[{"effect":-1,"event":"finished","after":31}]'"#,
      "“step.effects[0].effect” is"),
    Misbehaviour(
      "a patch that is none", #"begin; step 31 ',"patch":{"a":1}'"#,
      #"“step.patch” is {"a":1}, which is no valid patch"#),
    Misbehaviour(
      "a patch of an unknown operation", #"begin; step 31 ',"patch":[{"op":"sing","path":""}]'"#,
      "which is no valid patch"),
    Misbehaviour(
      "a patch that does not apply",
      #"begin; step 31 ',"patch":[{"op":"replace","path":"/no/such/place","value":1}]'"#,
      "There is no member “no” in the object at the top, in what the host said about `run`"),
    Misbehaviour(
      "a patch that does not apply to the one before",
      #"begin; step 31 ',"patch":[{"op":"remove","path":"/count"}]';"#
        + #"step 32 ',"patch":[{"op":"remove","path":"/count"}]'"#,
      "and it does not apply to the state before"),
    Misbehaviour(
      "an unknown standing",
      #"begin; say '{"id":3,"news":"step","step":{"step":31,"label":"a","action":1,"cause":"user","standing":["good","equal"]}}'"#,
      "“step.standing” is [\"good\",\"equal\"], two known words"),
    Misbehaviour(
      "a step without an action",
      #"begin; say '{"id":3,"news":"step","step":{"step":31,"label":"a","cause":"user"}}'"#,
      "“step.action” is missing"),
    Misbehaviour(
      "it dies after two steps", "begin; step 31; step 32; echo 'Fatal error: x' >&2; kill -ILL $$",
      "32 crashed at step 33: Fatal error: x"),
    Misbehaviour(
      "it is killed", "begin; step 31; kill -KILL $$",
      "31 crashed at step 32: signal 9 (SIGKILL): it was killed"),
    Misbehaviour("it verifies instead", "begin; verified 34", "“answer” is “verified”"),
  ]

  private static let reports = [
    Misbehaviour(
      "a last step that was not told", "begin; step 31; ran 34",
      "“report.lastStep” is 34, but the last step sent was 31"),
    Misbehaviour(
      "a last step before the fork", "begin; step 31; ran -6", "“report.lastStep” is -6"),
    Misbehaviour(
      "a last step without any", "begin; ran 33",
      "“report.lastStep” is 33, and it lies between 0 and 30"),
    Misbehaviour("nothing ran", "begin; ran 30; rest", "30 complete"),
    Misbehaviour(
      "it meets a step that does not exist",
      #"begin; step 31; ran 31 ',"rejoining":{"step":31,"parentStep":99}'"#,
      "“report.rejoining.parentStep” is 99, and it lies between 0 and 34"),
    Misbehaviour(
      "it meets its parent in the future",
      #"begin; step 31; ran 31 ',"rejoining":{"step":33,"parentStep":33}'"#,
      "“report.rejoining.step” is 33, and only 31 is possible"),
    Misbehaviour(
      "it leaves out a step that does not exist",
      #"begin; step 31; ran 31 ',"leftOut":[{"step":77,"label":"a","reason":"it was skipped"}]'"#,
      "“report.leftOut.step” is 77, and it lies between 0 and 34"),
    Misbehaviour(
      "no reason to leave it out",
      #"begin; step 31; ran 31 ',"leftOut":[{"step":33,"label":"a","reason":"mood"}]'"#,
      "“report.leftOut[0].reason” is \"mood\""),
    Misbehaviour(
      "a pending effect below zero",
      #"begin; step 31; ran 31 ',"pending":[{"effect":-1,"origin":{"from":3,"file":"f"}}]'"#,
      "“report.pending.effect” is -1"),
    Misbehaviour(
      "a pending effect of the future",
      #"begin; step 31; ran 31 ',"pending":[{"effect":1,"origin":{"from":32,"file":"f"}}]'"#,
      "“report.pending.origin.from” is 32, and it lies between 0 and 31"),
    Misbehaviour(
      "a recorded answer at no step",
      #"begin; step 31; ran 31 ',"pending":[{"effect":1,"origin":{"from":3,"file":"f"},"recorded":[{"effect":1,"step":-9,"outcome":{"end":"finish"}}]}]'"#,
      "“report.pending.recorded.step” is -9"),
    Misbehaviour(
      "an ending that is none",
      #"begin; step 31; say '{"id":3,"answer":"ran","report":{"lastStep":31,"ending":"happy"}}'"#,
      "“report.ending” is \"happy\""),
    Misbehaviour(
      "an end at no step",
      #"begin; step 31; say '{"id":3,"answer":"ran","report":{"lastStep":31,"ending":"timed out","endingStep":-2}}'"#,
      "“report.endingStep” is -2"),
  ]
}
