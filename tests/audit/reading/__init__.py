"""What is read of a topic and of a bucket is complete, or set aside with its place."""
