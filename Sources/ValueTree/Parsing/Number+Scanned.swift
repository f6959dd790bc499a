extension Number {
  /// A number from text that has the form of a JSON number.
  init(scanned text: UnsafeBufferPointer<UInt8>, isInteger: Bool) {
    let string = String(decoding: text, as: UTF8.self)
    if isInteger, string != "-0" {
      if let value = Int64(string) {
        self = .integer(value)
      } else if let value = UInt64(string) {
        self = .unsigned(value)
      } else {
        self = .digits(string)
      }
    } else if let value = Double(string), value.isFinite, value.description == string {
      self = .double(value)
    } else {
      self = .digits(string)
    }
  }
}
