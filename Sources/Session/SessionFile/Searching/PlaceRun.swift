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
  @exclusivity(unchecked) private var whole = KeptText()
  @exclusivity(unchecked) private var isText = false
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
  /// How often the editor changed, and whether it did since it was copied.
  @exclusivity(unchecked) private var version = 0
  @exclusivity(unchecked) private var isAltered = true

  private struct News {
    var kept = KeptText()
    /// Whether the text is the newest value.
    var isCurrent = false
    /// Whether the editor lacks it.
    var isNew = false
    /// Whether the editor can replace a value there; nil if not checked yet.
    var isThere: Bool?

    var text: UnsafeBufferPointer<UInt8> { kept.text }

    mutating func replace(_ text: UnsafeBufferPointer<UInt8>) {
      kept.copy(text)
      (isNew, isCurrent) = (true, true)
    }
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

  /// One that follows the same places, and knows nothing yet.
  var emptyCopy: PlaceRun { PlaceRun(places, state: nil) }

  deinit {
    for new in news { new.kept.deallocate() }
    news.deallocate()
    whole.deallocate()
  }

  var isKnown: Bool {
    if isText, isEachKnown, whole.text.isJSON { return true }
    readText()
    return isEachKnown
  }

  /// The state after the last line, correct at the places; nil if unknown.
  var state: Value? {
    readText()
    applyNews()
    return isEachKnown ? editor?.value : nil
  }

  /// The value of a place after the last line, without parsing others if possible.
  func value(at place: Pointer) -> Value? {
    guard let found = text(of: ["state"] + place.tokens) else { return state?[place] }
    guard let text = found.text else { return nil }
    let path = ScanPath(place.tokens.dropFirst(found.names - 1))
    let (range, end) = ValueScanner(text).find(path, from: 0)
    if end != nil, range == nil { return nil }
    return range.flatMap { try? Value(parsing: text[$0]) } ?? state?[place]
  }

  /// The text of the value that a path's first names find, the first of which is the state itself;
  /// nil if it is unknown, or followed by no place.
  func text(of names: [String]) -> FoundText? {
    guard isEachKnown else { return nil }
    let inside = names.dropFirst()
    let place = places.firstIndex { inside.starts(with: $0.tokens) }
    if isText {
      guard isSought, let place else { return FoundText(whole.text, by: 1) }
      let text = found.map { UnsafeBufferPointer(rebasing: whole.text[$0]) }
      return FoundText(text, by: 1 + places[place].tokens.count)
    }
    guard let editor, let place else { return nil }
    let names = 1 + places[place].tokens.count
    if !news[place].isCurrent {
      guard let value = editor.value[places[place]] else { return FoundText(nil, by: names) }
      value.bytes().withUnsafeBufferPointer { news[place].kept.copy($0) }
      news[place].isCurrent = true
    }
    return FoundText(news[place].text, by: names)
  }

  /// Becomes a copy of a run that follows the same places.
  func copy(_ other: PlaceRun) {
    (isText, isEachKnown, isLost) = (other.isText, other.isEachKnown, other.isLost)
    (isSought, found) = (other.isSought, other.found)
    if isText { whole.copy(other.whole.text) }
    hasNews = other.hasNews
    for place in news.indices {
      let new = other.news[place]
      if new.isCurrent { news[place].replace(new.text) }
      (news[place].isCurrent, news[place].isNew) = (new.isCurrent, new.isNew)
    }
    guard isAltered || version != other.version else { return }
    editor = other.editor.map { ValueEditor($0.value) }
    (version, isAltered) = (other.version, false)
  }

  private func markChanged() {
    version += 1
    isAltered = true
  }

  func set(_ state: Value?) {
    forget()
    markChanged()
    (isText, isTextNew) = (false, false)
    editor = state.map { ValueEditor($0) }
    isEachKnown = state != nil
    isLost = state == nil
  }

  func advance(_ line: StepMembers, isKeyframe: Bool) -> Change {
    let change = advanceByPatch(line, isKeyframe: isKeyframe)
    guard !isText, !isTextNew, isEachKnown || isLost, let range = line.state else { return change }
    guard isEachKnown, places.indices.allSatisfy({ isTold($0, by: line, from: range.lowerBound) })
    else {
      // A whole state overrides the patch, also one that is none.
      startOver(line, range)
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

  private func advanceByPatch(_ line: StepMembers, isKeyframe: Bool) -> Change {
    let patch = line.patch.flatMap { line.scanner.text($0, is: "null") ? nil : $0 }
    let wasKnown = isEachKnown
    if line.state == nil || patch != nil { readText() }
    // The last text may be none.
    if isLost, line.state == nil { return wasKnown ? .changed : .unchanged }
    let isFollowing = isText || editor != nil
    if isLost || !isFollowing || patch == nil, let range = line.state {
      guard isKeyframe || isLost || isFollowing else { return .needsWholeState }
      if holdsSame(line, range) { return .unchanged }
      startOver(line, range)
      return .changed
    }
    isTextNew = false
    guard let patch else { return know(false) }
    guard editor != nil else { return .needsWholeState }
    switch touch(line, patch) {
    case .nothing: return know(true)
    case .newValues where areThere(line):
      eachNewValue(of: line) {
        news[$0.place].replace(UnsafeBufferPointer(rebasing: line.bytes[$0.value]))
      }
      hasNews = true
      isEachKnown = true
      return .changed
    case .newValues, .other: break
    }
    applyNews()
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

  private func startOver(_ line: StepMembers, _ state: Range<Int>) {
    forget()
    whole.copy(UnsafeBufferPointer(rebasing: line.bytes[state]))
    (isText, isLost, isEachKnown) = (true, false, true)
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
    let text = whole.text
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

  private func readText() {
    guard isText else { return }
    let isNew = isTextNew
    set(ValueScanner(whole.text).pick(places.map { $0.tokens[...] }, from: 0))
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

  private func applyNews() {
    guard hasNews else { return }
    hasNews = false
    markChanged()
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
    for place in news.indices {
      (news[place].isNew, news[place].isCurrent, news[place].isThere) = (false, false, nil)
    }
  }

  private func apply(_ patch: Patch) -> Bool {
    markChanged()
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
