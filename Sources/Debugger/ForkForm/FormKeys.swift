import SessionWords
import TextCanvas
import TimeTravel

extension ForkForm {
  /// In the list, another offer; elsewhere, another field.
  mutating func pick(by offset: Int) {
    guard field == .template else { return move(by: offset) }
    let count = shownOffers.count
    guard count > 0 else { return }
    selected = min(max(selected + offset, 0), count - 1)
    takeOffer()
  }

  /// A key that is for the field.
  mutating func type(_ key: Key) {
    switch field {
    case .name: _ = name.handle(key)
    case .part:
      if key == .right, part.cursor == part.characters.count, completion != nil {
        return complete()
      }
      let before = part.text
      if part.handle(key), part.text != before { choosePart() }
    case .text:
      if key == .right, text.cursor == text.characters.count, completion != nil {
        return complete()
      }
      let before = text.text
      guard text.handle(key) else { return }
      problem = nil
      if text.text != before { isTextTyped = true }
    case .template:
      let before = filter.text
      if filter.handle(key), filter.text != before {
        selected = 0
        takeOffer()
      }
    case .target, .change, .effect, .read, .answer, .gives, .rest:
      _ = KeyTable.choice.handle(key, &self)
    }
  }

  /// The next field; where a key or a path is being typed that is known, the rest of it.
  mutating func tab() { if completion == nil { move(by: 1) } else { complete() } }

  private mutating func complete() {
    guard let completion else { return }
    guard field == .part else { return text.insert(completion) }
    part.insert(completion)
    choosePart()
  }

  /// Another part of the state is to be set.
  mutating func choosePart() {
    problem = nil
    path = state.flatMap { TypedPlace.path(part.text, in: $0) }
    oldValue = state.flatMap { path?.value(in: $0) }
    if oldValue == nil { path = nil }
    if !isTextTyped { put(oldValue?.text() ?? "") }
  }

  /// Another one of what the field can be.
  mutating func turn(by offset: Int) {
    problem = nil
    switch field {
    case .target: isNew.toggle()
    case .change: choose(changes.next(after: change, by: offset))
    case .effect:
      guard !effects.isEmpty else { return }
      effect = (effect + offset + effects.count) % effects.count
      selected = 0
      chooseAnswer()
      takeOffer()
    case .read:
      guard !reads.isEmpty else { return }
      chooseRead((read + offset + reads.count) % reads.count)
    case .answer:
      answer = answers.next(after: answer, by: offset)
      selected = 0
      if case .heard = asking {} else { asking = .notYet }
    case .gives: givesError.toggle()
    case .rest: rest = rest == .rerun ? .nothing : .rerun
    case .name, .part, .template, .text: break
    }
  }

  /// What came back is typed for the user, who looks at it and makes the fork.
  mutating func hear(_ reply: Reply?) {
    asking = reply.map(Asking.heard) ?? .notYet
    guard let reply else { return }
    switch reply.outcome {
    case .value(let value):
      answer = .reply
      text.replace(with: value.text())
    case .failure(let error):
      answer = .refusal
      text.replace(with: error.text())
    }
    field = .text
  }

  /// A click on an offer takes it, one on a field goes there; on a choice that one is at, another follows.
  mutating func click(_ index: Int) {
    if index >= Self.firstOffer {
      field = .template
      pick(by: index - Self.firstOffer - selected)
    } else if let clicked = Field(rawValue: index) {
      if clicked == field { turn(by: 1) } else { field = clicked }
    }
  }

  /// A click into a text.
  mutating func click(_ index: Int, _ cells: Int, after start: Int) {
    guard let clicked = Field(rawValue: index) else { return }
    field = clicked
    switch clicked {
    case .name: name.place(cells, after: start)
    case .part: part.place(cells, after: start)
    case .text: text.place(cells, after: start)
    default: filter.place(cells, after: start)
    }
  }

  mutating func paste(_ pasted: String) {
    switch field {
    case .name: name.insert(pasted)
    case .part:
      part.insert(pasted)
      choosePart()
    case .text:
      text.insert(pasted)
      isTextTyped = true
      problem = nil
    case .template:
      filter.insert(pasted)
      selected = 0
      takeOffer()
    case .target, .change, .effect, .read, .answer, .gives, .rest: break
    }
  }
}

extension Array where Element: Equatable {
  /// The one that comes so many places later, around the end.
  fileprivate func next(after element: Element, by offset: Int) -> Element {
    guard !isEmpty else { return element }
    let index = firstIndex(of: element) ?? 0
    return self[(index + offset + count) % count]
  }
}
