import os
import subprocess
import sys

# What it leaves behind would run for ten minutes, and keep the output open.
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "left-behind-by-a-fork"])
sys.exit(3)
