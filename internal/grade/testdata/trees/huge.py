print("x" * (1 << 20), flush=True)
input()
