# guessIo as an image: gunicorn with gevent workers, without build tools, as a user without rights. See docs/operations.md.
FROM python:3.11-slim-bookworm AS build
WORKDIR /opt/guessio
COPY requirements.txt .
RUN python -m venv .venv && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /var/lib/guessio --create-home guessio
WORKDIR /opt/guessio
COPY --from=build /opt/guessio/.venv .venv
COPY gunicorn.conf.py wsgi.py ./
COPY guessio guessio
COPY templates templates
COPY static static
COPY migrations migrations
ENV PATH=/opt/guessio/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GUESSIO_ENV=production \
    GUESSIO_HOST=0.0.0.0 \
    GUESSIO_INSTANCE=/var/lib/guessio \
    PORT=8000
USER guessio
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/healthz\", timeout=2)"]
STOPSIGNAL SIGTERM
CMD ["gunicorn", "--config", "gunicorn.conf.py"]
