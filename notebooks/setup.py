"""Imports and two helpers for the Python notebook."""
import os
import subprocess
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from plyfit import Server, data

folder = tempfile.TemporaryDirectory()


def at(name):
    """Returns the path of a file in the notebook's temporary folder."""
    return os.path.join(folder.name, name)


def plyfit(*args):
    """Runs the plyfit command. Raises an exception if the command fails."""
    subprocess.run([os.environ["PLYFIT"], *args], check=True, capture_output=True)
