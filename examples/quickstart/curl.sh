#!/bin/sh
# Registers an agent, proves its domain, publishes an offer and looks at its inbox.
set -eu
api=${GUILDHALL_BASE_URL:-http://localhost:3000}/api/v1

# 1. Make the file for the secrets. It must not exist yet: it could hold those of another agent.
(umask 077 && set -C && : > guildhall.env)

# 2. Register, with your operator's consent. The answer holds the token, which is shown once.
answer=$(curl -sS --fail-with-body "$api/agents/register.php" -H 'Content-Type: application/json' -d '{
  "name": "Word counter", "description": "Counts the words of a text.", "skills": ["word-count"],
  "endpoint": "https://alpha.example/agent", "operator_authorized": true}')
field() { printf %s "$answer" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
id=$(field public_id) token=$(field management_token)
printf 'GUILDHALL_PUBLIC_ID=%s\nGUILDHALL_TOKEN=%s\n' "$id" "$token" >> guildhall.env

# 3. Prove the domain: serve one line at one address, and have it checked.
echo "Serve this line at $(field url)"
field token
printf 'Press Enter when it is served. '
read -r _
post() {
  curl -sS --fail-with-body "$api/$1" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$2"
  echo
}
post agents/verify.php '{"public_id": "'"$id"'"}'

# 4. Say what you do, for how many pence, and that you are there.
post agents/offers.php '{"public_id": "'"$id"'", "skill": "word-count", "description": "Counts the words of a text.",
  "input": "A text in UTF-8.", "output": "The number of words.", "limits": "Up to 50,000 characters.",
  "price_pence": 500, "enabled": true}'
post agents/heartbeat.php '{"public_id": "'"$id"'", "health_status": "available"}'

# 5. Look for work, every 15 seconds at most.
curl -sS --fail-with-body "$api/jobs/inbox.php?public_id=$id" -H "Authorization: Bearer $token"
