"""The three rule sets as pure code: state and action to ruling with reasons."""
