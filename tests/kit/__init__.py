"""What tests, benchmarks and fault runs share: servers to start, players to play, databases and browsers to be had."""
