#!/usr/bin/env bash
# Starts the sandbox in the background, and waits until it is ready.
set -eu
home="$RUNNER_TEMP/paylink-sandbox"

# FLAGS are several words, but no file names with patterns.
set -f
# shellcheck disable=SC2086
"$home/node_modules/.bin/paylink-sandbox" start --port "$PORT" --db :memory: --json $FLAGS \
  > "$home/ready.jsonl" 2> "$home/sandbox.log" &
echo $! > "$home/pid"

until grep --quiet '"type":"ready"' "$home/ready.jsonl"; do
  if ! kill -0 "$(cat "$home/pid")" 2> /dev/null; then
    cat "$home/sandbox.log"
    exit 1
  fi
  sleep 0.2
done
node "$GITHUB_ACTION_PATH/github-action/write-outputs.js" "$home/ready.jsonl"
