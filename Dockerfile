FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The lock file has the SQLite of Node 20. This chooses the one for newer versions, which needs no compiler.
# No package needs its install scripts, and the sources that the script `prepare` builds are not here yet.
RUN npm update --ignore-scripts --package-lock-only better-sqlite3 && npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY fixtures fixtures
COPY scripts scripts
COPY server server
COPY ui ui
RUN npm run build
# Users of the package install pg themselves. The image includes it.
RUN npm pkg set "dependencies.pg=$(npm pkg get devDependencies.pg | tr -d '"')" && npm pkg delete devDependencies.pg
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
ENV PAYLINK_HOST=0.0.0.0
ENV PAYLINK_PORT=4400
ENV PAYLINK_DB=/data/sandbox.db
ENV PAYLINK_CONTAINER=1
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
RUN ln -s /app/dist/server/cli.js /usr/local/bin/paylink-sandbox && chmod +x /app/dist/server/cli.js \
  && mkdir /data && chown node:node /data
VOLUME /data
# The sandbox reads paylink.config.json in the volume.
WORKDIR /data
USER node
EXPOSE 4400
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["node", "/app/dist/server/cli.js", "health"]
ENTRYPOINT ["node", "/app/dist/server/cli.js"]
CMD ["start"]
