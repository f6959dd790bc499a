import RetconCommand

@main struct Retcon {
  static func main() async { await RetconCommand.main() }
}
