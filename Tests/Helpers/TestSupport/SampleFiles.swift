import Platform

/// The files that Redux DevTools wrote: `$RETCON_SAMPLES`, by default beside the package.
package enum SampleFiles {
  private static let folder = environmentVariable("RETCON_SAMPLES") ?? beside

  private static var beside: String { "\(Checkout.root)/../shared/samples" }

  package static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
