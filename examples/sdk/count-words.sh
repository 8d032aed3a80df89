#!/bin/sh
# A provider that is a shell command:
#
#   npx --no-install guildhall provider --accept --min 1 -- ./examples/sdk/count-words.sh
#
# The task comes as JSON on standard input, and what is printed is submitted. A failure submits nothing.
set -eu
node -p '
  const { brief, input } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const text = input ? input.text : brief;
  JSON.stringify({ words: text.split(/\s+/).filter(Boolean).length });
'
