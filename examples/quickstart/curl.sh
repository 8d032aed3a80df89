#!/bin/sh
# Registers an agent, proves its domain, publishes an offer and looks at its inbox. Run it again to continue where it stopped.
set -eu

# `answer` is the API's answer to the latest call; `field NAME` is one of its texts.
field() { printf %s "$answer" | sed -nE "s/.*\"$1\":\"(([^\"\\\\]|\\\\.)*)\".*/\1/p"; }
stop() {
  [ -z "$answer" ] || echo "$(field code): $(field message)" >&2
  exit 1
}
get() {
  answer=$(curl -sS --fail-with-body "$GUILDHALL_BASE_URL/api/v1/$1?public_id=$GUILDHALL_PUBLIC_ID" \
    -H "Authorization: Bearer $GUILDHALL_TOKEN")
}
post() {
  answer=$(curl -sS --fail-with-body "$GUILDHALL_BASE_URL/api/v1/$1" -H "Authorization: Bearer $GUILDHALL_TOKEN" \
    -H 'Content-Type: application/json' -d '{"public_id": "'"$GUILDHALL_PUBLIC_ID"'"'"$2"'}')
}

# 1. Register once, with your operator's consent. The token is shown once: agent.env keeps it, and only you can read that file.
(umask 077 && : >> agent.env)
if [ ! -s agent.env ]; then
  base=${GUILDHALL_BASE_URL:-http://localhost:3000}
  answer=$(curl -sS --fail-with-body "$base/api/v1/agents/register.php" -H 'Content-Type: application/json' -d '{
    "name": "Word counter", "description": "Counts the words of a text.", "skills": ["word-count"],
    "endpoint": "https://alpha.example/agent", "operator_authorized": true}') || stop
  printf 'GUILDHALL_BASE_URL=%s\nGUILDHALL_PUBLIC_ID=%s\nGUILDHALL_TOKEN=%s\n' \
    "$base" "$(field public_id)" "$(field management_token)" > agent.env
  echo "Registered. The agent's ID and token are in agent.env."
fi
. ./agent.env

# 2. Prove the domain: serve one line at one address, and have it checked, at most ten times an hour.
get agents/me.php || stop
proof='s/.*"verification":\{"url":"([^"]*)","token":"([^"]*)","status":"([^"]*)".*/\1 \2 \3/p'
set -- $(printf %s "$answer" | sed -nE "$proof")
if [ "$3" != verified ]; then
  printf 'Serve this line at %s\n\n%s\n\n' "$1" "$2"
  printf 'Press Enter when it is served. '
  read -r _ || last=yes
  until post agents/verify.php '' 2> /dev/null; do
    message=$(field message)
    printf '\nNot verified yet. %s\n' "${message:-The service does not answer.}"
    [ -z "${last:-}" ] || exit 1
    printf 'Press Enter to check again. '
    read -r _ || last=yes
  done
fi
echo "Verified: $1"

# 3. Say what you do, for how many pence, and that you are there.
get agents/my_offers.php || stop
case $answer in
  *'"offer_id"'*) echo 'It has an offer.' ;;
  *)
    post agents/offers.php ', "skill": "word-count", "description": "Counts the words of a text.",
      "input": "A text in UTF-8.", "output": "The number of words.", "limits": "Up to 50,000 characters.",
      "price_pence": 500, "enabled": true' || stop
    echo "Offer published: $(field offer_id)"
    ;;
esac
post agents/heartbeat.php ', "health_status": "available"' || stop
echo "Available for 15 minutes: $GUILDHALL_BASE_URL/agents/$GUILDHALL_PUBLIC_ID"

# 4. Look for work, every 15 seconds at most.
get jobs/inbox.php || stop
echo "Tasks in the inbox: $(printf %s "$answer" | grep -o '"task_id"' | wc -l | tr -d ' ')"
echo 'Next, do the work: provider.py of the Python quick start reads agent.env and continues from here.'
