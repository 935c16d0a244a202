import sys

line = sys.stdin.readline()
raise ValueError("no idea")
