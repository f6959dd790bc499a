/// A value as reflection sees it: a text, or a name with parts.
struct ReflectedValue: Equatable {
  struct Part: Equatable {
    var label: String?
    var value: ReflectedValue
  }

  var head: String
  var open = ""
  var parts: [Part] = []
  var close = ""

  init(head: String, open: String = "", parts: [Part] = [], close: String = "") {
    self.head = head
    self.open = open
    self.parts = parts
    self.close = close
  }

  init(_ value: Any) { self = ReflectedValue.Reader().read(value) }

  /// On one line.
  var text: String {
    let texts = parts.map { part in (part.label.map { "\($0): " } ?? "") + part.value.text }
    return head + open + texts.joined(separator: ", ") + close
  }

  /// On one line where it is short, else on one for each part.
  func lines(label: String? = nil, indent: String) -> [String] {
    let start = indent + (label.map { "\($0): " } ?? "")
    let short = text
    if parts.isEmpty || short.utf8.count <= 80 { return [start + short] }
    return [start + head + open]
      + parts.flatMap { $0.value.lines(label: $0.label, indent: indent + "  ") }
      + [indent + close]
  }
}

extension ReflectedValue {
  /// Reads values, and knows which objects it is inside of.
  struct Reader {
    var depth = 0
    var objects: [ObjectIdentifier] = []

    func read(_ value: Any) -> ReflectedValue {
      let mirror = Mirror(reflecting: value)
      if depth >= 64 { return ReflectedValue(head: "…") }
      switch mirror.displayStyle {
      case .optional:
        guard let wrapped = mirror.children.first else { return ReflectedValue(head: "nil") }
        return read(wrapped.value)
      case .enum: return readCase(value, mirror)
      case .collection: return readList("[", mirror, "]")
      case .set:
        var list = readList("Set([", mirror, "])")
        list.parts.sort { $0.value.text < $1.value.text }
        return list
      case .dictionary: return readDictionary(mirror)
      case .tuple: return ReflectedValue(head: "", open: "(", parts: parts(mirror), close: ")")
      case .class: return readObject(value, mirror)
      case .struct where !(value is any CustomStringConvertible):
        return ReflectedValue(
          head: "\(type(of: value))", open: "(", parts: parts(mirror), close: ")")
      default:
        return ReflectedValue(
          head: value is String ? String(reflecting: value) : String(describing: value))
      }
    }

    private var inner: Reader { Reader(depth: depth + 1, objects: objects) }

    private func parts(_ mirror: Mirror) -> [Part] {
      mirror.children.map { child in
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
        return Part(label: label, value: inner.read(child.value))
      }
    }

    private func readList(_ open: String, _ mirror: Mirror, _ close: String) -> ReflectedValue {
      ReflectedValue(head: "", open: open, parts: parts(mirror), close: close)
    }

    private func readCase(_ value: Any, _ mirror: Mirror) -> ReflectedValue {
      guard let child = mirror.children.first, let name = child.label else {
        return ReflectedValue(head: ".\(value)")
      }
      let payload = inner.read(child.value)
      if Mirror(reflecting: child.value).displayStyle == .tuple {
        return ReflectedValue(head: ".\(name)", open: "(", parts: payload.parts, close: ")")
      }
      let part = Part(label: nil, value: payload)
      return ReflectedValue(head: ".\(name)", open: "(", parts: [part], close: ")")
    }

    private func readDictionary(_ mirror: Mirror) -> ReflectedValue {
      let pairs = parts(mirror).compactMap { pair -> Part? in
        guard pair.value.parts.count == 2 else { return nil }
        return Part(label: pair.value.parts[0].value.text, value: pair.value.parts[1].value)
      }
      let sorted = pairs.sorted { ($0.label ?? "") < ($1.label ?? "") }
      return ReflectedValue(head: "", open: "[", parts: sorted, close: "]")
    }

    private func readObject(_ value: Any, _ mirror: Mirror) -> ReflectedValue {
      let identity = ObjectIdentifier(value as AnyObject)
      let name = "\(type(of: value))"
      if objects.contains(identity) { return ReflectedValue(head: "\(name)(again)") }
      var reader = self
      reader.objects.append(identity)
      return ReflectedValue(head: name, open: "(", parts: reader.parts(mirror), close: ")")
    }
  }
}
