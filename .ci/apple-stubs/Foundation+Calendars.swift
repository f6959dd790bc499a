// The parts of calendars that the adapter for the Composable Architecture uses.

extension Calendar.Identifier {
  public static var buddhist: Self { .gregorian }
  public static var chinese: Self { .gregorian }
  public static var coptic: Self { .gregorian }
  public static var ethiopicAmeteMihret: Self { .gregorian }
  public static var ethiopicAmeteAlem: Self { .gregorian }
  public static var hebrew: Self { .gregorian }
  public static var indian: Self { .gregorian }
  public static var islamic: Self { .gregorian }
  public static var islamicCivil: Self { .gregorian }
  public static var islamicTabular: Self { .gregorian }
  public static var islamicUmmAlQura: Self { .gregorian }
  public static var japanese: Self { .gregorian }
  public static var persian: Self { .gregorian }
  public static var republicOfChina: Self { .gregorian }
}

extension Calendar {
  public var firstWeekday: Int {
    get { 1 }
    set {}
  }
}
