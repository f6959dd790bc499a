print("No benchmarks yet.")
