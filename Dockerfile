# syntax=docker/dockerfile:1
# See docs/deploy.md, "In containers". The project's pinned Node runs everything; the node image only provides npm.

FROM node:24-trixie-slim AS base
# Node's compile cache depends on the path and the user, so all stages use the same.
WORKDIR /app
# A registry for npm other than its default.
ARG NPM_CONFIG_REGISTRY
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json ./

FROM base AS build
RUN npm ci --workspaces=false --no-audit --no-fund
COPY --chown=node:node . .
# Node makes its compile cache readable by the current user only; the last stage copies it as root.
RUN npm run build && chmod -R a+rX dist

FROM base AS dependencies
RUN npm ci --omit=dev --workspaces=false --no-audit --no-fund

FROM debian:trixie-slim
# The same user id as `node` in the first image.
RUN groupadd --gid 1000 moye \
  && useradd --uid 1000 --gid moye --no-create-home --home-dir /data --shell /usr/sbin/nologin moye \
  && install --directory --owner=moye --group=moye --mode=0750 /data
WORKDIR /app
# Owned by root: the server cannot change its own code.
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY src ./src
COPY deploy/memory.env ./deploy/
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
