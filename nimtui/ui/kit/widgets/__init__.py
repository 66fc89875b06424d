"""What every screen is made of: pages, panels, lists, curves, header and footer."""
