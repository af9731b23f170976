"""Layouts for people: how they are written on a command line, and how answers about them are shown."""
