# See docs/deploy.md, "In containers". The project's pinned Node runs everything; the node image only provides npm.

FROM node:24-trixie-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
# Node's compile cache depends on the path and the user, so both are the same as in the last stage.
WORKDIR /app
# A registry for npm other than its default.
ARG NPM_CONFIG_REGISTRY
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json ./
RUN npm ci --workspaces=false --no-audit --no-fund
COPY --chown=node:node . .
# Only what the server and the commands load reaches the last stage; Node without its symbols is 18 MB smaller.
RUN npm run build \
  && node_modules/node/bin/node tools/copy-runtime.mjs runtime \
  && strip runtime/node_modules/node/bin/node

FROM debian:trixie-slim
# The same user id as `node` in the first image.
RUN groupadd --gid 1000 moye \
  && useradd --uid 1000 --gid moye --no-create-home --home-dir /data --shell /usr/sbin/nologin moye \
  && install --directory --owner=moye --group=moye --mode=0750 /data
WORKDIR /app
# Without --chown, files keep the owner that they have in the other stage. The server cannot change its own code.
COPY --from=build --chown=root:root /app/runtime ./
ENV PATH=/app/node_modules/node/bin:$PATH \
  NODE_ENV=production \
  NODE_COMPILE_CACHE=/app/dist/.compile-cache \
  HOST=0.0.0.0 \
  PORT=4321 \
  DATA_DIR=/data
USER moye
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The variables of memory.env must be set before Node starts; those of the container take precedence.
CMD ["sh", "-c", "own=$(export -p) && set -a && . deploy/memory.env && eval \"$own\" && exec node src/lib/server/main.ts"]
