import Platform
import SessionWords
import ValueTree

/// Parts of a state, followed through the lines of consecutive steps.
///
/// They stay known if a patch is wrong only elsewhere.
final class PlaceRun {
  /// Cut at arrays, because insertions move their elements.
  private let places: [Pointer]
  private let paths: [ScanPath]
  private let scan: PatchScan
  // Used several times for each line, by one walk alone.
  @exclusivity(unchecked) private var editor: ValueEditor?
  /// A whole state as text, not parsed yet; it replaces the editor.
  @exclusivity(unchecked) private var text: [UInt8] = []
  @exclusivity(unchecked) private var isText = false
  /// Where the text has each place, if it holds only readable scalars there.
  @exclusivity(unchecked) private var scalars: [Range<Int>?] = []
  @exclusivity(unchecked) private var isOfScalars: Bool?
  /// Where the text has the only place, if its line was searched for it.
  @exclusivity(unchecked) private var found: Range<Int>?
  @exclusivity(unchecked) private var isSought = false
  /// Whether the text still tells the newest values of the places, parsed or not.
  @exclusivity(unchecked) private var isTextNew = false
  /// No later patch leads to a known state.
  @exclusivity(unchecked) var isLost = false
  @exclusivity(unchecked) private var isEachKnown: Bool
  /// The newest values of the places as text, not yet in the editor. No arrays, because their counts
  /// of references would change with each line.
  private let news: UnsafeMutableBufferPointer<News>
  @exclusivity(unchecked) private var hasNews = false
  @exclusivity(unchecked) private var newValues: [PatchScan.NewValue] = []
  /// Retained, and compared without a count of references.
  @exclusivity(unchecked)
  private var asked: (question: Unmanaged<TextCondition.Question>, place: Int?)?

  private struct News {
    private var room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var count = 0
    var isNew = false
    /// Whether the editor can replace a value there; nil if not checked yet.
    var isThere: Bool?

    var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }

    mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
      if room.count < text.count {
        room.deallocate()
        room = .allocate(capacity: 2 * text.count)
      }
      _ = room.update(fromContentsOf: text)
      (count, isNew) = (text.count, true)
    }

    func deallocate() { room.deallocate() }
  }

  enum Change {
    case unchanged
    case changed
    /// They move from elsewhere in the state, so the whole state is needed.
    case needsWholeState
  }

  /// The only place, to be found while a line is taken apart.
  var onlyPath: ScanPath? { paths.count == 1 ? paths[0] : nil }

  init(_ places: [Pointer], state: Value?) {
    var different: [Pointer] = []
    for place in places {
      let place = Pointer(tokens: place.tokens.prefix { Int($0) == nil && $0 != "-" })
      if !different.contains(place) { different.append(place) }
    }
    self.places = different
    paths = different.map { ScanPath($0.tokens) }
    scan = PatchScan(different)
    editor = state.map { ValueEditor($0) }
    isEachKnown = state != nil
    news = .allocate(capacity: different.count)
    news.initialize(repeating: News())
  }

  deinit {
    for new in news { new.deallocate() }
    asked?.question.release()
    news.deallocate()
  }

  var isKnown: Bool {
    if isText, isEachKnown, hasScalars() { return true }
    readText()
    return isEachKnown
  }

  private func hasScalars() -> Bool {
    if let isOfScalars { return isOfScalars }
    scalars.removeAll(keepingCapacity: true)
    let isOfScalars = text.withUnsafeBufferPointer { text in
      for index in paths.indices {
        if isSought {
          scalars.append(found)
        } else {
          let (place, end) = ValueScanner(text).find(paths[index], from: 0)
          guard end != nil else { return false }
          scalars.append(place)
        }
        if let place = scalars[index], !isScalar(UnsafeBufferPointer(rebasing: text[place])) {
          return false
        }
      }
      return true
    }
    self.isOfScalars = isOfScalars
    return isOfScalars
  }

  private func isScalar(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    TextCondition.isNumberOrWord(text)
      || text.first != UInt8(ascii: "{") && text.first != UInt8(ascii: "[")
        && (try? Value(parsing: text)) != nil
  }

  /// The state after the last line, correct at the places; nil if unknown.
  var state: Value? {
    readText()
    takeIn()
    return isEachKnown ? editor?.value : nil
  }

  /// The value of a place after the last line, without parsing others if possible.
  func value(at place: Pointer) -> Value? {
    if isEachKnown, let index = places.firstIndex(of: place) {
      if isText, hasScalars() {
        return scalars[index].flatMap { try? Value(parsing: text[$0]) }
      }
      if hasNews, news.count == 1, news[0].isNew, let value = try? Value(parsing: news[0].text[...])
      {
        return value
      }
    }
    return state?[place]
  }

  /// Answers a question about a place from the newest line or the state.
  func answer(_ question: TextCondition.Question) -> Bool? {
    guard isEachKnown else { return nil }
    if isText {
      let scalar = hasScalars() ? place(of: question) : nil
      let answer = text.withUnsafeBufferPointer { text in
        guard let scalar else { return question.answer(in: text) }
        return question.answer(scalars[scalar].map { UnsafeBufferPointer(rebasing: text[$0]) })
      }
      if let answer { return answer }
    } else if hasNews, let index = place(of: question), news[index].isNew,
      let answer = question.answer(news[index].text)
    {
      return answer
    }
    return state.flatMap { question.answer(forWord: $0) }
  }

  private func place(of question: TextCondition.Question) -> Int? {
    if let asked, asked.question.toOpaque() == Unmanaged.passUnretained(question).toOpaque() {
      return asked.place
    }
    let place = places.firstIndex { $0.tokens == question.place }
    asked?.question.release()
    asked = (.passRetained(question), place)
    return place
  }

  func set(_ state: Value?) {
    forget()
    (isText, isTextNew) = (false, false)
    editor = state.map { ValueEditor($0) }
    isEachKnown = state != nil
    isLost = state == nil
  }

  func follow(_ line: StepMembers, isKeyframe: Bool) -> Change {
    let change = followPatch(line, isKeyframe: isKeyframe)
    guard !isText, !isTextNew, isEachKnown || isLost, let range = line.state else { return change }
    guard isEachKnown, places.indices.allSatisfy({ isTold($0, by: line, from: range.lowerBound) })
    else {
      // A whole state overrides the patch, also one that is none.
      take(line, range)
      return .changed
    }
    return change
  }

  /// Whether a whole state has what is known of a place.
  private func isTold(_ index: Int, by line: StepMembers, from offset: Int) -> Bool {
    let (place, end) = line.scanner.find(paths[index], from: offset)
    guard end != nil else { return false }
    if let place, news[index].isNew, line.bytes[place].elementsEqual(news[index].text) {
      return true
    }
    let value = place.map { try? Value(parsing: line.bytes[$0]) }
    return value != .some(nil) && isSame(value ?? nil, state?[places[index]])
  }

  private func isSame(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isExactlyEqual(to: right)
  }

  private func followPatch(_ line: StepMembers, isKeyframe: Bool) -> Change {
    let patch = line.patch.flatMap { line.scanner.text($0, is: "null") ? nil : $0 }
    let wasKnown = isEachKnown
    if line.state == nil || patch != nil { readText() }
    // The last text may be none.
    if isLost, line.state == nil { return wasKnown ? .changed : .unchanged }
    let isFollowing = isText || editor != nil
    if isLost || !isFollowing || patch == nil, let range = line.state {
      guard isKeyframe || isLost || isFollowing else { return .needsWholeState }
      if holdsSame(line, range) { return .unchanged }
      take(line, range)
      return .changed
    }
    isTextNew = false
    guard let patch else { return know(false) }
    guard editor != nil else { return .needsWholeState }
    switch touch(line, patch) {
    case .nothing: return know(true)
    case .newValues where areThere(line):
      eachNewValue(of: line) {
        news[$0.place].take(UnsafeBufferPointer(rebasing: line.bytes[$0.value]))
      }
      hasNews = true
      isEachKnown = true
      return .changed
    case .newValues, .other: break
    }
    takeIn()
    forget()
    guard editor != nil else { return .needsWholeState }
    guard let value = try? line.value(of: patch), let patch = try? Patch(value) else {
      set(nil)
      return .changed
    }
    isEachKnown = true
    return apply(patch) ? .changed : .needsWholeState
  }

  @inline(__always)
  private func touch(_ line: StepMembers, _ patch: Range<Int>) -> PatchScan.Touch {
    if let twin = line.twin { return twin._withUnsafeGuaranteedRef { $0.touch(scan) } }
    newValues.removeAll(keepingCapacity: true)
    return scan.touch(line.scanner, from: patch.lowerBound, &newValues)
  }

  @inline(__always)
  private func eachNewValue(of line: StepMembers, _ body: (PatchScan.NewValue) -> Void) {
    if let twin = line.twin {
      twin._withUnsafeGuaranteedRef { $0.eachNewValue(body) }
    } else {
      for new in newValues { body(new) }
    }
  }

  @inline(__always)
  private func areThere(_ line: StepMembers) -> Bool {
    var areThere = true
    eachNewValue(of: line) { areThere = areThere && isThere($0.place) }
    return areThere
  }

  private func take(_ line: StepMembers, _ state: Range<Int>) {
    forget()
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: UnsafeBufferPointer(rebasing: line.bytes[state]))
    (isText, isOfScalars, isLost, isEachKnown) = (true, nil, false, true)
    isTextNew = true
    isSought = line.isPlaceSought
    found = line.placeInState.map {
      $0.lowerBound - state.lowerBound..<$0.upperBound - state.lowerBound
    }
  }

  /// Whether a whole state has the same bytes at each place as the text. Most states of a log differ
  /// elsewhere.
  private func holdsSame(_ line: StepMembers, _ state: Range<Int>) -> Bool {
    guard isTextNew, isEachKnown, !isLost, let base = line.bytes.baseAddress else { return false }
    return text.withUnsafeBufferPointer { text in
      func isSame(_ old: Range<Int>?, _ new: Range<Int>?) -> Bool {
        guard let old, let new, let text = text.baseAddress else { return old == nil && new == nil }
        return old.count == new.count
          && memcmp(text + old.lowerBound, base + new.lowerBound, old.count) == 0
      }
      if isSought, line.isPlaceSought { return isSame(found, line.placeInState) }
      // Searching each state again pays if the places cost time.
      guard !isText else { return false }
      return paths.allSatisfy { path in
        let (old, oldEnd) = ValueScanner(text).find(path, from: 0)
        let (new, newEnd) = line.scanner.find(path, from: state.lowerBound)
        return oldEnd != nil && newEnd != nil && isSame(old, new)
      }
    }
  }

  private func readText() {
    guard isText else { return }
    let isNew = isTextNew
    set(
      text.withUnsafeBufferPointer { text in
        PlacePicker(ValueScanner(text)).pick(places.map { $0.tokens[...] }, from: 0)
      })
    isTextNew = isNew && isEachKnown
  }

  private func know(_ isKnown: Bool) -> Change {
    defer { isEachKnown = isKnown }
    return isKnown == isEachKnown ? .unchanged : .changed
  }

  private func isThere(_ place: Int) -> Bool {
    if let isThere = news[place].isThere { return isThere }
    let isThere = (try? editor?.value.resolve(places[place])) != nil
    news[place].isThere = isThere
    return isThere
  }

  private func takeIn() {
    guard hasNews else { return }
    hasNews = false
    for index in news.indices where news[index].isNew {
      news[index].isNew = false
      do {
        try editor?.apply(.replace(places[index], Value(parsing: news[index].text[...])))
      } catch {
        return set(nil)
      }
    }
  }

  private func forget() {
    hasNews = false
    for place in news.indices { (news[place].isNew, news[place].isThere) = (false, nil) }
  }

  private func apply(_ patch: Patch) -> Bool {
    for operation in patch.operations {
      let part = Patch([operation])
      guard places.contains(where: { part.touches($0) }) else { continue }
      switch operation {
      case .move(let from, _) where !isFollowed(from), .copy(let from, _) where !isFollowed(from):
        return false
      default:
        do { try editor?.apply(part) } catch { return false }
      }
    }
    return true
  }

  private func isFollowed(_ place: Pointer) -> Bool {
    places.contains { place.tokens.starts(with: $0.tokens) }
  }
}

/// Extracts some places from a value's text, without parsing the rest.
package struct PlacePicker {
  private let scanner: ValueScanner

  package init(_ scanner: ValueScanner) { self.scanner = scanner }

  /// The value at `offset` with only these places and their containers; nil if unreadable.
  package func pick(_ places: [ArraySlice<String>], from offset: Int) -> Value? {
    guard let range = scanner.value(from: offset) else { return nil }
    let first = scanner.bytes[range.lowerBound]
    let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard isContainer, !places.contains(where: \.isEmpty) else {
      return try? Value(parsing: scanner.bytes[range])
    }
    guard first == UInt8(ascii: "{") else { return .array([]) }
    var members: [ValueObject.Element] = []
    var isRead = true
    let isWhole = scanner.members(from: range.lowerBound) { key, value in
      guard
        let name = places.first(where: {
          $0.first.map { scanner.key(key, is: Array($0.utf8)) } == true
        })
      else { return true }
      let below = places.filter { $0.first == name.first }.map { $0.dropFirst() }
      guard let name = name.first, let picked = pick(below, from: value.lowerBound) else {
        isRead = false
        return false
      }
      members.removeAll { $0.key.utf8.elementsEqual(name.utf8) }
      members.append((name, picked))
      return true
    }
    return isWhole && isRead ? .object(ValueObject(members)) : nil
  }
}
