"""Figures in plain pictures: no mat, no scale, any desk."""
