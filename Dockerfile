# syntax=docker/dockerfile:1
# Guildhall without its embedded database: it needs DATABASE_URL and AUTH_SECRET. docs/operations.md explains how to run it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node ops/image/prepare.ts --slim

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "ops/image/probe.mjs"]
CMD ["node", "start.mjs"]
