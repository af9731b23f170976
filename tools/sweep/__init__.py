"""Many kernels under many settings: planned as units, run anywhere, kept in a store, reported from there.

- kernels: what a folder, a list or a Triton cache offers, each by the best file that is there.
- plan: units, each a kernel, a compiler, a variant, flags.
- check: one unit, from bytes to an outcome; fork: the same in a process of its own, with limits.
- executors: units one after the other here; cluster: on the workers of dask.distributed.
- store: outcomes in SQLite, each recorded once.
- campaign: what is not in the store goes to an executor, and what comes back into the store.
- figures: what a store says in numbers; text, html, json and export show it; diff compares two.
"""
