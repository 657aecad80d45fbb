"""A fence dropped, and the property that it was protecting."""
