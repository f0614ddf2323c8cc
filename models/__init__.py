"""The trained models with their cards, and what runs them."""
