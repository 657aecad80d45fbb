"""What makes a state space big, and how big a larger scope, or a running search, will become."""
