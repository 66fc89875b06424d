"""What every screen is made of: pages, forms, fields, lists, panels, signs, and what a screen may ask of the app."""
