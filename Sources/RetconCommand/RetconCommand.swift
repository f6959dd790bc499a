/// The whole command line of Retcon.
public enum RetconCommand {
  public static func main() async {}
}
