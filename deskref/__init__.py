"""The desk referee: the application that joins cameras, vision, rules and boards."""
