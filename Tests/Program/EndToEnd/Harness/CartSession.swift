/// A session of a small shop, written out by hand.
enum CartSession {
  static let text = """
    {"retcon":"1.0","app":{"name":"Cart","version":"1.2"},"can":"replay","states":"every","state":{"items":[],"total":0}}
    {"step":1,"time":0.5,"label":"added","action":{"added":"Tea"},"cause":"user","patch":[{"op":"add","path":"/items/0","value":"Tea"},{"op":"replace","path":"/total","value":9.5}]}
    {"step":2,"time":1.25,"label":"added","action":{"added":"Lamp"},"cause":"user","patch":[{"op":"add","path":"/items/1","value":"Lamp"},{"op":"replace","path":"/total","value":32.14}]}
    {"step":3,"time":2,"label":"couponApplied","action":{"couponApplied":"TENOFF"},"cause":"user","patch":[{"op":"replace","path":"/total","value":-7.86}]}
    {"step":4,"time":2.5,"label":"saveTapped","action":{"saveTapped":{}},"cause":"user","patch":[]}
    {"effect":1,"event":"started","after":4,"time":2.5,"from":4,"ordinal":0,"name":"save","file":"Cart.swift","line":9}
    {"step":5,"time":3.5,"label":"saved","action":{"saved":{}},"cause":{"effect":1},"patch":[{"op":"add","path":"/saved","value":true}]}
    {"effect":1,"event":"finished","after":5,"time":3.5}

    """

  /// The same with controls in every place where text can stand, each of which would be noticed.
  static let hostile = """
    {"retcon":"1.0","app":{"name":"\\u001b]0;owned\\u0007","version":"\\u009b2J"},"can":"browse","because":"\\u001b[31m","states":"every","state":{"\\u001b[2J":"\\u202eabc","n\\u200bame":0}}
    {"step":1,"time":0.5,"label":"\\u001b]52;c;b3duZWQ=\\u0007","action":{"\\u001b[?1049l":"\\u001b[8m"},"cause":"user","patch":[{"op":"replace","path":"/n\\u200bame","value":"\\u001bP$q\\u001b\\\\\\u009d0;x\\u009c"}]}
    {"step":2,"time":0.6,"label":"tab\\tnew\\nline\\rback","action":{"x":"\\u001b[6n"},"cause":"user","patch":[{"op":"add","path":"/\\u001bc","value":"\\u001b]8;;http://x\\u0007"}]}
    {"effect":1,"event":"started","after":2,"time":0.7,"from":2,"ordinal":0,"name":"\\u001b[3J","file":"\\u001b[5m","line":9}

    """
}
