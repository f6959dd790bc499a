/// One rule of what a fork does and when it doubts. Comments and tests cite it by name;
/// `docs/fork-rules.md` is made from this table.
struct ForkRule {
  /// `topic/rule`.
  var name: String
  var text: String
  /// When a step of the fork rests on an assumption because of this rule.
  var doubt: String?

  init(_ name: String, _ text: String, doubt: String? = nil) {
    self.name = name
    self.text = text
    self.doubt = doubt
  }

  static var all: [ForkRule] { topics.flatMap(\.rules) }

  static let topics: [(title: String, rules: [ForkRule])] = [
    ("Running a session again", runs), ("Reads and answers", answers), ("Effects", effects),
    ("Pauses and cancellations", endings), ("Edits", edits), ("Forks and their parents", forks),
    ("Incomplete recordings", recordings),
  ]

  static let runs = [
    ForkRule(
      "runs/reducers-only",
      """
      A fork runs reducers again and never the body of an effect, except on the tape
      (`effects/on-tape`) and in live runs (`answers/live-run`). Reads during the making of an
      effect belong to the step.
      """),
    ForkRule(
      "runs/sent-at-once",
      """
      When a reducer sends an action at once, the fork takes the action of today's reducer. `verify`
      reports another action or another number of actions.
      """),
    ForkRule(
      "runs/thread-order",
      "Actions from several threads run in the order in which the store reduced them."),
    ForkRule(
      "runs/checkpoint",
      """
      A typed state becomes a checkpoint only if it holds no references and fits the memory budget.
      If it differs from the recorded state when used, it is dropped.
      """),
    ForkRule(
      "runs/crash",
      """
      If a reducer traps, exits, hangs or overflows its stack, the fork ends at that step with the
      last words, and the host restarts. `verify` tells a crash from a hang; `--all` continues
      behind it from the recorded state. A crash beside the fork, or in the parent behind the place
      where the fork leaves, does not end it.
      """,
      doubt: "behind a crash beside the fork, changed effects are in doubt."),
    ForkRule(
      "runs/verified",
      """
      `verify` starts each step from the recorded state and effects in flight, so each divergence
      belongs to its own step. The order of effects and sent actions counts, and the length of
      pauses. A throttled run counts with the step that asked for it. An action that does not decode
      is a divergence.
      """),
    ForkRule(
      "runs/today",
      """
      If a host says that bodies repeat, a fork runs the body of each recorded effect with the
      answers that it got. Today's body may send or ask something else: then its own events count,
      not the recorded ones.
      """),
    ForkRule(
      "runs/nondeterministic",
      """
      `verify` runs a step once more if it differs, has no recorded state or has a small state; of
      large states it samples some. Two different results make it *nondeterministic*. An equal
      state, built anew, shows whether the order of a `Set` or `Dictionary` is the cause. With small
      states, the first, second, fourth, eighth … action of each kind runs five times. With
      `--twice`, or if the session differs, it runs in a second host. A state with references runs
      once.
      """),
  ]

  static let answers = [
    ForkRule(
      "answers/same-question",
      """
      A read gets the answer that its step recorded for the same question: the same key, arguments
      and, for dates and clocks, time. The report lists unused reads.
      """,
      doubt: """
        for other arguments the read takes the next recorded answer of its key, *stale*. If none is
        left, or the time differs, it takes a substitute, *substituted*. If Retcon cannot compare
        the questions, the answer is *stale* unless everything was equal so far.
        """),
    ForkRule(
      "answers/unowned-read",
      """
      A read inside an effect, or outside of every step and effect, is shown and never reused.
      `verify` names the keys of reads outside of every step and effect.
      """),
    ForkRule(
      "answers/stack-ids",
      """
      Ids of stack elements are reads with the key `stackID`, so a pushed element keeps its id even
      if you skip an earlier push. The counts are part of the state.
      """,
      doubt: "a step without a recorded id draws one from 10^9 on (UUIDs from 2^40): *substituted*."
    ),
    ForkRule(
      "answers/unrecorded-ids",
      "If a recording lacks its stack ids, the fork counts them.",
      doubt: """
        a step that makes an id is *substituted* if you edited it or the state before it differs.
        """),
    ForkRule(
      "answers/reply",
      """
      With effects on the tape, you can say what a service answers. Every effect of the fork that
      asks this question gets your answer at once, and a real answer after the time that it took.
      """),
    ForkRule(
      "answers/by-hand",
      """
      Your answer replaces everything recorded for the effect since the fork left its parent. If the
      effect does not run, the report says so. Your cancellation ends this effect alone; chained
      effects continue, even after an export (`alone` in [the format](format.md)). Forks of the fork
      keep the answer.
      """),
    ForkRule(
      "answers/live-run",
      """
      An answer from a live run follows the fork's clock: it takes as long as it did live, and never
      comes before its place. In free stepping it comes at its place.
      """,
      doubt: "if Retcon stopped the live run, the effect stays *open*."),
  ]

  static let effects = [
    ForkRule(
      "effects/matching",
      """
      A fork finds the recorded effect by the step that its starter descends from, by file, name and
      cancel id, and by its position among those. The line does not count.
      """),
    ForkRule(
      "effects/ambiguous-count",
      "If a different number of effects starts at one place, none matches a recorded one.",
      doubt: "all are unanswered, so *open*. You can choose from all recorded outcomes."),
    ForkRule(
      "effects/stale-answer",
      """
      An emission counts as recorded in two cases. Either the starting step had the same action,
      state before, reads and time. Or the effect started at the same time with the same code,
      captured values and dependencies. At another time, `effects/same-capture` decides.
      """,
      doubt: """
        otherwise the answer is *stale*, and everything since the start of the effect is *open*.
        """),
    ForkRule(
      "effects/same-capture",
      """
      If a recorded effect has the same code and captured values, a changed effect does what that
      one did, after the same time. Retcon looks at the sixteen nearest on each side.
      """,
      doubt: """
        it is *open* from where the other effect was cancelled or the recording ended. It is *open*
        at once if that effect drew something random, asked without arguments, got several answers
        to one question, or if an effect names cancel ids in its body. An emission at the very time
        of another event is *stale*.
        """),
    ForkRule(
      "effects/orphan",
      """
      An emission without its effect is left out, and the report gives the reason. An effect does
      not notice that you skip an emission. Of a host that does not see effects, this holds for
      those that the session names.
      """,
      doubt: "later emissions of an effect that lost one are *stale*."),
    ForkRule(
      "effects/unanswered",
      """
      An effect without a recorded counterpart is unanswered, unless `effects/same-capture` finds
      one. You settle it with an answer or a live run.
      """,
      doubt: "everything since its start is *open*."),
    ForkRule(
      "effects/number",
      """
      A matching effect keeps its number. The fork numbers others from 1,000,000,001, above the
      parent's, in the order of their start.
      """),
    ForkRule(
      "effects/on-tape",
      """
      On the tape, the body of a changed effect runs with recorded answers and nothing live. Its
      emissions follow the fork's clock and are known. At one time, the longest wait comes first,
      then the earliest start. A fork waits for an answer as long as the recording waited in vain.
      """,
      doubt: "at a question without a recorded answer, or after this wait, the effect is *open*."),
  ]

  static let endings = [
    ForkRule(
      "endings/pause",
      """
      An event between two steps happens again at its place, with its consequences. A pause lasts as
      long as today's reducer says. With the recorded start and length, it ends as recorded. Any
      other pause ends on the fork's clock before the end of the recording. If a pause and an
      emission meet, the one that waited longer comes first.
      """,
      doubt: "if Retcon cannot tell which waited longer, what follows is *stale*."),
    ForkRule(
      "endings/throttle-window",
      """
      No state shows what an open throttle holds back, so a fork cannot rejoin its parent until the
      window is over.
      """),
    ForkRule(
      "endings/outside-cancel",
      """
      No reducer cancels the task of a `send` or releases the store, so the fork repeats it at its
      place. It cancels all that runs of the task in the fork. If an effect's body cancels an id
      (`Task.cancel(id:)`), only effects with this id end. Cancellations within a millisecond are
      one turn.
      """),
    ForkRule(
      "endings/missing-cancel",
      """
      An effect may run on in the fork though the recording cancelled it, for example because you
      skipped the canceller. A pause just continues.
      """,
      doubt: "any other effect is *open* from that moment on."),
    ForkRule(
      "endings/early-cancel",
      "If a fork cancels an effect before its answer, the report says so.",
      doubt: "it may have sent something: everything since its start stays *open*."),
    ForkRule(
      "endings/unseen-cancel",
      """
      Of an effect from before the session, or of a step that does not run again, the recording has
      the cancel ids as text. A step cancels it by an id with this text: a string, a whole number, or
      a case without payload. The store does not know ids in bodies (reads of `cancelID`). An
      adapter asks its own library what a step cancels. A state that you set cancels nothing by an
      id.
      """,
      doubt: """
        behind a changed step an effect is *open* if it runs in a child or its id may be written in
        several ways, if it names ids in its body, or if the adapter cannot tell. So is what it may
        have cancelled. An effect that outlives the recording is *open* behind its end.
        """),
  ]

  static let edits = [
    ForkRule(
      "edits/descent",
      """
      An edited step descends from its recorded step. An inserted step descends from none, and
      nothing recorded matches it.
      """),
    ForkRule(
      "edits/set-state",
      "Setting a state is a step of its own.",
      doubt: "everything after it is *edited*."),
    ForkRule(
      "edits/recorded-skip",
      """
      A step that the recording skipped stays a step with an unchanged state. Replacing it takes it
      back in.
      """),
    ForkRule(
      "edits/moved-send",
      "If you move a step that a reducer sent, the fork takes the action of its own reducer.",
      doubt: "if none has sent it by then, the fork takes the recorded action: *stale*."),
    ForkRule(
      "edits/order",
      """
      Several edits at one place apply in your order, behind everything that the parent has there.
      """),
    ForkRule(
      "edits/moved-starter",
      """
      If you move a step behind the answer to its effect, the answer is left out and the effect
      waits.
      """),
    ForkRule(
      "edits/moved-step",
      """
      A moved step keeps its action and the answers to questions that it still asks. It loses the
      date of its old place.
      """,
      doubt: "the answers of its effects are *stale*, unless `effects/same-capture` knows them."),
  ]

  static let forks = [
    ForkRule(
      "forks/standing",
      "Every step says what it rests on and how it went. Each assumption says how to settle it."),
    ForkRule(
      "forks/inherited-doubt",
      "A doubt stays until you settle it.",
      doubt: "every later step, and every fork that leaves later, rests on the same assumption."),
    ForkRule(
      "forks/rejoin",
      """
      A fork rejoins its parent at a keyframe if everything is equal: state, effects in flight,
      clock, id counts and generators. No assumption, later edit, unfinished turn or open throttle
      may be left. Equal states alone are not enough.
      """),
    ForkRule(
      "forks/start-state",
      """
      A fork starts from the state of the re-run if that equals the recorded one, else from the
      recorded state if this encodes to the same again. Otherwise it starts at the nearest earlier
      step where one of the two works. If the re-run does not lead to the recorded state, the fork says
      so.
      """,
      doubt: """
        if that does not lead to the recorded state, or the turn does not, the fork starts from the
        state of the re-run: *substituted*.
        """),
    ForkRule(
      "forks/exported",
      """
      A session that starts in the middle takes its effects in flight from its header. They emit,
      end and are cancelled as recorded.
      """,
      doubt: """
        an exported fork keeps its assumptions, and so do its forks. An effect whose answer was a
        guess there is no example for `effects/same-capture`.
        """),
    ForkRule(
      "forks/inside-turn",
      """
      Actions that a reducer sends at once always follow it. So a fork inside a turn begins with the
      rest of the turn; insertions come after that. They also come after a debounce that ended
      before the next step, and what it sent: nothing can be inserted inside it.
      """),
    ForkRule(
      "forks/of-fork",
      "A fork of a fork follows its parent like a recording. Without edits it equals its parent.",
      doubt: "it inherits its parent's assumptions."),
  ]

  static let recordings = [
    ForkRule(
      "recordings/undecodable",
      """
      If an action is lost or does not decode, the fork takes the recorded state while it still
      equals the recording, and ends otherwise. Without one, the steps up to the next known state
      cannot run. You can fork before or behind them, and `verify` names them. An action that you
      change ends the fork if it does not decode.
      """),
    ForkRule(
      "recordings/upgraded",
      """
      Values from the upgrade function count as recorded. If the function throws, the action does
      not decode.
      """),
    ForkRule(
      "recordings/unfinished-step",
      """
      If the app stopped inside its reducer, that step runs in every fork that leaves before it.
      `verify` runs it last: a crash is a divergence, and a return is reported.
      """),
    ForkRule(
      "recordings/lost-start",
      """
      If the first state is lost or does not decode, the session starts at the first step with a
      known state and the effects in flight there.
      """),
    ForkRule(
      "recordings/missing-state",
      """
      If the recording has no state where a fork leaves, the fork starts from that of the re-run.
      """),
    ForkRule(
      "recordings/redacted",
      """
      A reducer gets `<redacted>` for a value that was taken out. Where `verify` then finds a
      difference, it calls the place not compared.
      """,
      doubt: """
        a step that gets a redacted value, in its state, action or reads, is *substituted*, and so is
        everything after it.
        """),
    ForkRule(
      "recordings/unseen-effects",
      """
      Some hosts run reducers alone and do not see effects start, end or be cancelled. They say so
      in their greeting; a thin host does unless it says `effects`. The debugger then judges the
      steps itself, and a fork never rejoins its parent. A step with an unknown sender stays at
      its place.
      """,
      doubt: """
        everything from the edit on is *assumed*, because the app's middleware may send other
        actions. If the file says that the app has no middleware, only each emission is *stale*, and
        everything after it. With any host, this holds for each action with an unknown sender, too.
        """),
  ]
}
