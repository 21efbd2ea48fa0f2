# The image around dist/svc: run `make build` first, or `make docker` for both. Nothing is compiled in here.
# `make test-image` gives a base of its own, made by debootstrap
ARG BASE=debian:13.1-slim
FROM ${BASE}

# bubblewrap: confinement of jobs, where the container may make namespaces (docs/security.md); git and ssh: apps are deployed
# from repositories; certificates: over https
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin svc \
  && install --directory --owner=svc --group=svc --mode=0700 /data \
  && install --directory --owner=svc --group=svc --mode=0755 /var/cache/svc

COPY --chmod=0755 dist/svc /usr/local/bin/svc

# the licences of what svc contains, beside those of Debian's packages
RUN install --directory /usr/share/doc/svc && svc licenses --full > /usr/share/doc/svc/copyright

# Behind a proxy, give the address that people use: --env SVC_BASE_URL=https://svc.example.com

# jobs never run as root, and neither does what starts them
USER svc
WORKDIR /data
VOLUME /data
ENV SVC_HOST=0.0.0.0 SVC_PORT=3000 SVC_DATA_DIR=/data SVC_CACHE_DIR=/var/cache/svc
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["svc", "health"]
ENTRYPOINT ["svc"]
CMD ["start"]
