"""`python -m pairloom` is the command line."""

from pairloom.cli import main

if __name__ == "__main__":
    main()
