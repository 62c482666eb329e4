"""What things cost, each as a ratio within one run: the server on one core, the load on the other. `make bench`."""
