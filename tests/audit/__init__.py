"""An audit says what is true of a topic of metadata and of the bucket, and nothing else."""
