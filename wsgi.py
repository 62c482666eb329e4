"""The production entry: `gunicorn wsgi:app`. Everything that waits must be patched before it is imported, or it blocks a worker."""
# ruff: noqa: E402 - patching comes before every other import

import sys

from gevent import monkey

EARLY = [name for name in ("psycopg", "sqlalchemy", "requests") if name in sys.modules]
if EARLY and not monkey.is_module_patched("socket"):
    raise RuntimeError(f"{', '.join(EARLY)} came before gevent's monkey-patching: start with gunicorn and its gunicorn.conf.py")
monkey.patch_all()

from guessio import bootstrap, config

try:
    app = bootstrap.create_app()
except config.BadSettings as error:
    sys.exit(str(error))
