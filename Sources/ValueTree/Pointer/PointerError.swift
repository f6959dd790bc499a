/// Why a pointer cannot be read, or leads nowhere in a value.
public enum PointerError: Error, Sendable, Hashable {
  case noLeadingSlash(String)
  case badEscape(String, offset: Int)
  case noMember(String, at: Pointer)
  case noElement(Int, at: Pointer, count: Int)
  case noIndex(String, at: Pointer)
  case noContainer(Pointer, kind: String)
  case tooDeep(limit: Int)
}

extension PointerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noLeadingSlash(let text):
      "The pointer “\(text)” must be empty or begin with “/”: did you mean “/\(text)”?"
    case .badEscape(let text, let offset):
      "The pointer “\(text)” has a “~” at byte \(offset) that is not “~0” (for ~) or “~1” (for /)."
    case .noMember(let key, let place):
      "There is no member “\(key)” in the object at \(place.place)."
    case .noElement(let index, let place, let count):
      switch count {
      case 0: "There is no element \(index): the array at \(place.place) is empty."
      default: "There is no element \(index): the array at \(place.place) ends at \(count - 1)."
      }
    case .noIndex(let token, let place):
      "“\(token)” is no index of the array at \(place.place): write a number without leading zeros."
    case .noContainer(let place, let kind):
      "Nothing lies inside \(place.place): it holds \(kind)."
    case .tooDeep(let limit):
      "The pointer goes deeper than \(limit) levels."
    }
  }
}
