import json
import os

# It looks for what belongs to others: secrets of the environment, submissions beside
# its own, its own file at home. What it finds is its answer.
question = json.loads(input())
found = [name for name in os.environ if "SECRET" in name] + [name for name in os.listdir(".") + os.listdir("..") if name == "right.py"]
open("peeking.py", "w").write("overwritten")
print(json.dumps({"id": question["id"], "answer": "found " + " ".join(found)}), flush=True)
