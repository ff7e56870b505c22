"""Sessions and suspended programs as bytes, and back: see docs/snapshots.md."""
