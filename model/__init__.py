"""What can happen: the modelling language, Kafka's mechanisms, and the designs built from them."""
