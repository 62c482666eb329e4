"""Many people play on a site of several servers while parts of it are killed, stopped, stalled and cut off; then everything is audited."""
