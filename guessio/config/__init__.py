"""The environment turned into one frozen `Settings`; every variable stands in `VARIABLES`, which the documentation is checked against."""

from guessio.config.checks import LOOPBACK, SECRET_KEY_MIN
from guessio.config.keeping import kept
from guessio.config.reading import BadSettings, read
from guessio.config.settings import Settings
from guessio.config.variables import GOOGLE_ISSUER, VARIABLES, Variable

__all__ = ["GOOGLE_ISSUER", "LOOPBACK", "SECRET_KEY_MIN", "VARIABLES", "BadSettings", "Settings", "Variable", "kept", "read"]
