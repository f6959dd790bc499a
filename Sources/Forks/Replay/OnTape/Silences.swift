import SessionWords
import StoreCore
import ValueTree

extension Rerun {
  /// The answers with what is known of the silence before the answer to a new question: an effect
  /// of the same site asked it in the recording, and got no answer up to its cancellation or the
  /// end (`effects/on-tape`). Nil if nothing is known.
  mutating func answers(
    _ answers: TapeAnswers, withSilenceOf question: Question, for entry: EffectMatcher.Entry
  ) throws -> TapeAnswers? {
    // Of a key that is not on the recording's tape, no answer is recorded.
    guard let examples, setup.decodesStates, !setup.hidesState, !Question.isDrawn(question.key),
      examples.source.tape.contains(question.key), !examples.source.hasLostLines
    else { return nil }
    var known = answers
    for (effect, origin) in try examples.outcomes.effects(
      at: entry.origin, near: replayCursor.position)
    {
      let (silences, liveCalls) = try examples.silences(of: effect, origin)
      known.add(silences)
      log.recordLive(liveCalls, at: step)
    }
    return known.knowsSilence(of: question) ? known : nil
  }
}

extension RecordedRuns {
  /// Runs an unfinished effect's body with its own answers, up to its recorded end. If it sends and
  /// reads what is recorded, the questions that it waits for then had no answer.
  fileprivate func silences(
    of effect: EffectID, _ origin: EffectOrigin
  ) throws -> (silences: [TapeAnswers.Silence], liveCalls: [String]) {
    if let known = silences[effect] { return (known, []) }
    guard let recorded = try outcomes.unfinished(effect),
      let body = try runs(of: origin.step, leaving: Self.reserve)
        .first(where: { $0.effect.isOf(origin) })?.body,
      // A shared value may be another one now.
      body.foreign?.foreignStep.sharesValues != true
    else { return ([], []) }
    var answers = TapeAnswers(recorded.reads)
    answers.waitsForever = true
    let (waiting, liveCalls) = BodyOnTape(
      body, answers, from: recorded.start, now: recorded.start, to: recorded.end
    ).wait()
    let found = waiting.map { $0.silences(asRecorded: recorded) } ?? []
    silences[effect] = found
    return (found, liveCalls)
  }
}

extension BodyOnTape.Waiting {
  fileprivate func silences(asRecorded recorded: UnfinishedEffect) -> [TapeAnswers.Silence] {
    guard sent.count == recorded.sent.count, reads.count == recorded.answered.count,
      zip(sent, recorded.sent).allSatisfy({ $0.isExactlyEqual(to: $1.action) }),
      // The reads that ended with the effect are those that it waits for.
      recorded.reads.filter(\.read.isCancelled).allSatisfy({ read in
        silences.contains { $0.question.isSame(as: Question(read.read)) == true }
      })
    else { return [] }
    // An app is later than the tape, so it asked later.
    let delay = max(.zero, recorded.last - last)
    return silences.compactMap { silence in
      var silence = silence
      silence.time -= delay
      return silence.time > .zero ? silence : nil
    }
  }
}
