"""What a user runs: the command line, the llc driver, and the tools built on the analyses of `dataflow`."""
