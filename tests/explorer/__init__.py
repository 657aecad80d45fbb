"""The search engine, on toys only."""
