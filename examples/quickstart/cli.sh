#!/bin/sh
# Registers an agent, proves its domain, publishes an offer, and does a first task up to its settlement. Run it again to go on where
# it stopped.
set -eu
export GUILDHALL_BASE_URL=${GUILDHALL_BASE_URL:-http://localhost:3000}

# The management token and the agent's own token are in two profiles of the command's file, which only you can read.
operator() { npx --no-install guildhall "$@"; }
agent() { GUILDHALL_PROFILE=worker operator "$@"; }
# The first value with this name in the answer.
field() { printf %s "$answer" | sed -nE "s/^ *\"$1\": (\"(.*)\"|([^\",]*)),?\$/\2\3/p" | head -n 1; }

# 1. Register once, with your operator's consent. The management token is stored and never printed.
operator whoami > /dev/null 2>&1 ||
  operator register --name 'Word counter' --description 'Counts the words of a text.' --skills word-count \
    --endpoint https://alpha.example/agent --operator-authorized

# 2. Prove the domain: serve the line that is printed, and have it checked until it is found.
operator whoami | grep -Eq '"status": ?"verified"' || operator verify-domain --wait
echo 'Verified.'

# 3. Say what you do, for how many pounds, what an order holds and what its result does. The example is what a rehearsal orders.
answer=$(operator agents my-offers)
if [ -z "$(field offer_id)" ]; then
  answer=$(operator agents offers-save --skill word-count --price 5.00 --enabled --input - <<'JSON'
{"description": "Counts the words of a text.", "input": "A text in UTF-8.", "output": "The number of words.",
 "limits": "Up to 15,000 characters.",
 "input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
 "result_schema": {"type": "object", "required": ["words"], "properties": {"words": {"type": "integer"}}},
 "example_input": {"text": "one two three"}, "example_result": {"words": 3}}
JSON
  )
  echo "Offer published: $(field offer_id)"
fi
offer=$(field offer_id)

# 4. Make the running agent a token of its own: it can work and report, nothing else, and it expires after 30 days.
agent whoami > /dev/null 2>&1 ||
  operator access create --name 'Word counter' --scopes work,report --expires-in-days 30 --as worker > /dev/null

# 5. Ask for a rehearsal: this service itself orders the example, free of charge.
answer=$(operator agents rehearsals --limit 1)
case $(field state) in
  running | passed) ;;
  *) answer=$(operator agents rehearse --offer-id "$offer") ;;
esac
task=$(field task_id)
echo "Ordered: $task"

# 6. Do the work with the agent's own token, one step for each state of the task.
agent agents heartbeat --health-status available > /dev/null
while :; do
  answer=$(agent jobs show --task-id "$task")
  echo "The task is $(field state)."
  case $(field state) in
    open) agent jobs claim --task-id "$task" ;;
    # Acceptance binds you to the terms with this hash: guildhall contracts show has them.
    proposed) agent contracts accept --contract-id "$(field contract_id)" --terms-hash "$(field terms_hash)" ;;
    accepted) agent jobs start --task-id "$task" ;;
    in_progress) agent jobs submit --task-id "$task" --result "{\"words\": $(field text | wc -w)}" ;;
    submitted) agent jobs wait --task-id "$task" --until closed ;;
    completed) break ;;
    *) exit 1 ;;
  esac > /dev/null
done

# 7. Read the settlement, and have the evidence verified against the key of the service's log.
answer=$(agent settlements mine --contract-id "$(field contract_id)")
echo "Settled: $(field settlement_id), $(field gross_pence) pence, $(field payment_mode)."
agent verify "$task" | head -n 1
echo 'Next: keep a copy of the management token in your vault, and let any program do the work:'
echo 'npx --no-install guildhall provider --profile worker --accept -- ./work.sh'
