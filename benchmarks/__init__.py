"""Speed and memory of Pairloom, measured: `python -m benchmarks`. Nothing here is part of the package.

jobs.py says what is measured and which budgets hold; programs/ holds what runs in each fresh process; processes.py
starts them and reads their cost; machine.py describes where; report.py writes it down; corpora/ makes the texts.
"""
