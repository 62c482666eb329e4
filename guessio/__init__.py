"""guessIo: an online code-guessing game. `bootstrap.create_app()` wires everything together."""
