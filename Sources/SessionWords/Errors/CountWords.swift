/// `90412` as `90,412`.
package func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

/// `1 step`, `2 steps`.
package func counted(_ number: Int, _ singular: String) -> String {
  "\(grouped(number)) \(singular)\(number == 1 ? "" : "s")"
}
