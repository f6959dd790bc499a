import SessionWords

/// The recorded answers of services by question: the same question gets the same answer after the
/// same time.
///
/// The answers that one asker got to a repeated question, such as a stream's, stay in order.
struct TapeAnswers: Sendable {
  struct Answer: Sendable {
    var outcome: Read.Outcome
    var took: Duration?
    var notBefore: Duration?
  }

  enum Known: Sendable {
    case answer(Answer)
    /// Askers got different answers, so the answer depends on more than the question.
    case contradictory
    case nothing
  }

  /// How long a question had no answer in the recording.
  struct Silence: Sendable {
    var question: Question
    /// Its place among the equal questions of one asker.
    var index: Int
    var time: Duration
  }

  private struct Entry: Sendable {
    var question: Question
    var answers: [Answer]
    var isContradictory = false
    var hasOtherTimes = false
  }

  private var entries: [String: [Entry]] = [:]
  /// Whether another time that an answer took is another answer, too.
  var comparesTimes = false
  private var silences: [Silence] = []
  /// Whether a question without an answer waits forever.
  var waitsForever = false

  init(_ source: any ReplaySource) throws {
    var asked: [EffectID: [OutsideRead]] = [:]
    for read in try source.outsideReads() {
      if let effect = read.effect { asked[effect, default: []].append(read) }
    }
    for effect in asked.keys.sorted() {
      add((asked[effect] ?? []).map { ($0.read, $0.took) })
    }
    for number in source.steps.dropFirst() {
      var reads = try source.step(number).reads
      guard !reads.isEmpty else { continue }
      // In an exported fork, some are substitutes.
      for case .read(let key, _) in source.assumptions(raisedAt: number).map(\.subject) {
        reads.removeAll { $0.key == key }
      }
      add(reads.map { ($0, .zero) })
    }
  }

  /// What one effect was told.
  init(_ reads: [OutsideRead]) { add(reads.map { ($0.read, $0.took) }) }

  private mutating func add(_ reads: [(read: Read, took: Duration?)]) {
    var own: [Entry] = []
    for (read, took) in reads where !Question.isDrawn(read.key) && !read.isCancelled {
      let question = Question(read)
      let answer = Answer(outcome: read.outcome, took: took)
      if let index = own.firstIndex(where: { $0.question.isSame(as: question) == true }) {
        own[index].answers.append(answer)
      } else {
        own.append(Entry(question: question, answers: [answer]))
      }
    }
    for entry in own { merge(entry) }
  }

  private mutating func merge(_ new: Entry) {
    var known = entries[new.question.text] ?? []
    defer { entries[new.question.text] = known }
    guard let index = known.firstIndex(where: { $0.question.isSame(as: new.question) == true })
    else { return known.append(new) }
    let isSame = zip(known[index].answers, new.answers).allSatisfy { $0.outcome == $1.outcome }
    known[index].isContradictory = known[index].isContradictory || !isSame
    let isAsLong = zip(known[index].answers, new.answers).allSatisfy { $0.took == $1.took }
    known[index].hasOtherTimes = known[index].hasOtherTimes || !isAsLong
    if new.answers.count > known[index].answers.count { known[index].answers = new.answers }
  }

  func answer(to question: Question, _ index: Int) -> Known {
    let found = entries[question.text]?.first { $0.question.isSame(as: question) == true }
    guard let found else { return .nothing }
    if found.isContradictory || comparesTimes && found.hasOtherTimes { return .contradictory }
    return found.answers.indices.contains(index) ? .answer(found.answers[index]) : .nothing
  }

  mutating func add(_ new: [Silence]) { silences += new }

  func knowsSilence(of question: Question) -> Bool {
    silences.contains { $0.question.isSame(as: question) == true }
  }

  /// How long a service gives no answer. It gives one answer to one question, after one time.
  func silence(of question: Question, _ index: Int) -> Duration? {
    if waitsForever { return .seconds(1 << 40) }
    return silences.filter { $0.index == index && $0.question.isSame(as: question) == true }
      .map(\.time).max()
  }

  mutating func say(_ reply: Reply, notBefore time: Duration = .zero) {
    let question = reply.question
    var known = entries[question.text] ?? []
    known.removeAll { $0.question.isSame(as: question) == true }
    let answer = Answer(outcome: reply.outcome, took: reply.took ?? .zero, notBefore: time)
    known.append(Entry(question: question, answers: Array(repeating: answer, count: 64)))
    entries[question.text] = known
  }
}
